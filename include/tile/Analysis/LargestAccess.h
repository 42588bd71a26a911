// LargestAccess.h - the largest accessed tile, and threads for its elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_LARGESTACCESS_H
#define TILE_ANALYSIS_LARGESTACCESS_H

#include "tile/Analysis/Architecture.h"

#include "mlir/IR/Operation.h"

namespace tile {

/// The largest tile that operations load or store; of several, the one with the
/// smallest elements.
struct LargestAccess {
  int64_t elements = 0;
  /// The bytes of an element in memory.
  int64_t bytes = 0;
};

/// Returns the largest access of the operations inside `root`; one of zero
/// elements if there is none.
LargestAccess findLargestAccess(mlir::Operation *root);

/// Returns the fewest elements that a thread of a block is to have, if the
/// block has no matmul or other operation that determines its size.
int64_t getElementsPerThread(const LargestAccess &largest, const Costs &costs);

/// Returns the count of warps, a power of two of at most `most`, whose threads
/// have `each` of the elements or more.
int64_t spreadElements(int64_t elements, int64_t each, int64_t most);

} // namespace tile

#endif // TILE_ANALYSIS_LARGESTACCESS_H
