// PaddedReductions.h - reductions that take in the zeros beyond an array's end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load reads zero outside of its array unless it gives another pad. A sum of
// such elements is right; a maximum, a minimum, a product, an average, a sort,
// or a sum of what was computed of them is not, unless the program masks them.

#ifndef TILE_ANALYSIS_PADDEDREDUCTIONS_H
#define TILE_ANALYSIS_PADDEDREDUCTIONS_H

#include "tile/IR/Tile.h"

namespace tile {

/// A reduction whose result depends on the zeros that `load` reads outside of
/// its array.
struct PaddedReduction {
  mlir::Operation *op;
  mlir::Operation *load;
  /// The dimension of the kernel's argument along which the load may leave the
  /// array: where its size is not a multiple of `extent`, the tile's.
  unsigned argument;
  int64_t dimension;
  int64_t extent;
  /// Names the result, as in "the maximum along axis 1".
  std::string result;
  /// What the program may do instead.
  std::string advice;
};

/// The first such reduction of each load of a kernel at level source, in the
/// order of the operations. A load with `pad` or `in_bounds`, and elements that
/// the program selects by a mask, are left out; so is what passes through loops
/// or operations whose effect on the padding is not known. Boxes are assumed to
/// begin at multiples of the tile's extents.
llvm::SmallVector<PaddedReduction> findPaddedReductions(KernelOp kernel);

/// A warning at the reduction, with a note at the load: "the maximum along axis
/// 1 includes the zeros that a load reads beyond the end of 'x', ...".
void warn(const PaddedReduction &found);

} // namespace tile

#endif // TILE_ANALYSIS_PADDEDREDUCTIONS_H
