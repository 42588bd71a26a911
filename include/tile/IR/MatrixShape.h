// MatrixShape.h - M, N and K of a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_MATRIXSHAPE_H
#define TILE_IR_MATRIXSHAPE_H

#include <cstdint>

namespace tile {

/// Extents of a matmul of m x k by k x n elements.
struct MatrixShape {
  int64_t m = 1, n = 1, k = 1;
};

} // namespace tile

#endif // TILE_IR_MATRIXSHAPE_H
