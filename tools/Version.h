// Version.h - the text that a tool prints for --version
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_VERSION_H
#define TILE_TOOLS_VERSION_H

#include "tile/Version.h"

#include <string>

namespace tile {

inline std::string getVersionText(const std::string &tool) {
  return tool + " (tile-mlir) " + kVersion + "\nLLVM version " + kLLVMVersion;
}

} // namespace tile

#endif // TILE_TOOLS_VERSION_H
