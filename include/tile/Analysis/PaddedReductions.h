// PaddedReductions.h - reductions that include zeros beyond an array's end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load reads zero outside of its array unless it specifies another pad. A sum
// of such elements is right. A maximum, a minimum, a product, an average, a
// sort, or a sum of values that are computed from the elements may be wrong,
// unless the program masks the elements outside.

#ifndef TILE_ANALYSIS_PADDEDREDUCTIONS_H
#define TILE_ANALYSIS_PADDEDREDUCTIONS_H

#include "tile/IR/Tile.h"

namespace tile {

/// A reduction whose result depends on the zeros that `load` reads outside of
/// its array.
struct PaddedReduction {
  mlir::Operation *op;
  mlir::Operation *load;
  /// The dimension of the argument `argument` along which the load may leave
  /// the array, if its size is not a multiple of `extent`, the extent of the
  /// tile.
  unsigned argument;
  int64_t dimension;
  int64_t extent;
  /// Names the result, as in "the maximum along axis 1".
  std::string result;
  /// Advice on what the program can do instead.
  std::string advice;
};

/// Returns the first such reduction of each load of a kernel at level source,
/// in the order of the operations. A load with `pad` or `in_bounds`, and
/// elements that the program selects by a mask, are left out. So are values
/// that pass through loops or operations whose effect on the padding is not
/// known. Boxes are assumed to start at multiples of the tile's extents.
llvm::SmallVector<PaddedReduction> findPaddedReductions(KernelOp kernel);

/// Emits a warning at the reduction, with a note at the load: "the maximum
/// along axis 1 includes the zeros that a load reads beyond the end of 'x',
/// ...".
void warn(const PaddedReduction &found);

} // namespace tile

#endif // TILE_ANALYSIS_PADDEDREDUCTIONS_H
