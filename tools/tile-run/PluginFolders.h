// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- PluginFolders.h - where the compiler plugin may be -------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_PLUGINFOLDERS_H
#define TILE_TOOLS_TILERUN_PLUGINFOLDERS_H

#include <string>
#include <vector>

namespace tile::runtime {

/// The folders to look in before the loader does, as Plugin.h has them.
std::vector<std::string> getPluginFolders();

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_PLUGINFOLDERS_H
