// Places.h - the old path of tile/IR/BoundsAssertions.h, until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/BoundsAssertions.h"

namespace tile {

inline void assertFilledPlaces(mlir::Operation *root) {
  assertFilledBounds(root);
}

} // namespace tile
