// Holders.h - the first of the threads that hold the same element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ANALYSIS_HOLDERS_H
#define TILE_LIB_ANALYSIS_HOLDERS_H

#include "tile/Layout/RegisterLayout.h"

namespace tile {

/// Whether a lane or a warp is the first of those that hold the same elements.
/// Only the first one stores them.
inline bool isFirstHolder(const RegisterLayout &layout,
                          RegisterLayout::Level level, int64_t index) {
  for (const RegisterMode &mode : layout.getModes(level)) {
    if (mode.dim < 0 && index % mode.extent != 0)
      return false;
    index /= mode.extent;
  }
  return true;
}

} // namespace tile

#endif // TILE_LIB_ANALYSIS_HOLDERS_H
