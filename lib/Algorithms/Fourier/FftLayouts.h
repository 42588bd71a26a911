// FftLayouts.h - order of elements in shared memory between two passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FFTLAYOUTS_H
#define TILE_LIB_ALGORITHMS_FFTLAYOUTS_H

#include "FftPlan.h"

namespace tile {

/// A reordering by `tile.order_fft`. A pass of `radix` has stored `radix` rows
/// of `columns` elements in shared memory, and the next pass reads columns of
/// `nextRadix` elements. The element in column c * `stride` + a of row q, with
/// a below `stride`, becomes element (c * `radix` + q) * `stride` + a.
struct ColumnOrder {
  int64_t radix, columns, stride, nextRadix, elementBytes;

  /// Returns the distance, in elements, between rows in shared memory: of the
  /// distances from `columns` on with the fewest wavefronts, the smallest.
  int64_t choosePitch() const;
  /// Returns the number of wavefronts in which the next pass reads one element
  /// of each of its columns, if rows are `pitch` elements apart.
  int64_t countWavefronts(int64_t pitch) const;
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FFTLAYOUTS_H
