// CompilerFolders.h - folders in which the compiler's library is searched
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILERUN_COMPILERFOLDERS_H
#define TILE_TOOLS_TILERUN_COMPILERFOLDERS_H

#include <string>
#include <vector>

namespace tile::runtime {

/// Returns the folders that are searched before the loader's search: those of
/// $TILE_COMPILER_PATH, separated by ':', then ../lib relative to the
/// executable's folder, then the executable's folder.
std::vector<std::string> getCompilerFolders();

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_COMPILERFOLDERS_H
