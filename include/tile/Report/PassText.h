// PassText.h - the IR after a pass
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_REPORT_PASSTEXT_H
#define TILE_REPORT_PASSTEXT_H

#include <string>

namespace tile {

/// IR after a pass.
struct PassText {
  /// The pass by its argument, such as "tile-bufferize".
  std::string pass;
  /// The kernel that it ran on; empty for the whole module.
  std::string kernel;
  std::string text;
};

} // namespace tile

#endif // TILE_REPORT_PASSTEXT_H
