// FftLayouts.h - order of elements in shared memory between two passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FFTLAYOUTS_H
#define TILE_LIB_ALGORITHMS_FFTLAYOUTS_H

#include "FftPlan.h"

namespace tile {

/// The columns that a `tile.order_fft` puts in order: column c s + a of a
/// radix, with a below s = `places`, for columns of the next radix.
struct ColumnOrder {
  int64_t radix, columns, places, nextRadix, elementBytes;

  /// Elements from one row of the source to the next one in shared memory:
  /// those of a row, or a few more so that the next pass reads in fewer
  /// wavefronts.
  int64_t choosePitch() const;
  /// Wavefronts in which the next pass reads an element of each column.
  int64_t countWavefronts(int64_t pitch) const;
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FFTLAYOUTS_H
