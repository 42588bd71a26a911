// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- CompilerFolders.h - where the compiler may be ------------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_COMPILERFOLDERS_H
#define TILE_TOOLS_TILERUN_COMPILERFOLDERS_H

#include <string>
#include <vector>

namespace tile::runtime {

/// The folders to look in before the loader does: those of
/// $TILE_COMPILER_PATH, which ':' separates, ../lib beside the folder of the
/// executable, and that folder.
std::vector<std::string> getCompilerFolders();

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_COMPILERFOLDERS_H
