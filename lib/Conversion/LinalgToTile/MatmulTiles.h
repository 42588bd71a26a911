// MatmulTiles.h - tiles of a matmul by estimated times
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_MATMULTILES_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_MATMULTILES_H

#include "tile/Analysis/Architecture.h"

#include "mlir/IR/Types.h"

#include <array>

namespace tile::fromlinalg {

/// The sizes of a matmul; its operands have elements of one type.
struct MatmulSizes {
  int64_t rows, columns, sums;
  double batch;
  mlir::Type element;
  /// Whether lhs and rhs are computed by the kernel, as by a gather, so that
  /// they are loaded to registers.
  std::array<bool, 2> isComputed = {false, false};
};

/// The rows and columns of the result that a block computes, and the size of
/// its steps along the sums.
struct MatmulTile {
  int64_t rows, columns, sums;
};

/// Whether a matmul of operands of this type runs on tensor cores, with the
/// precision that kernels of linalg have: those of i8 and of floating-point
/// types of at most 16 bits.
bool usesTensorCores(mlir::Type element);

/// Returns the bytes of an element.
int64_t getBytes(mlir::Type element);

/// Returns `limit` if `extent` is larger or dynamic. Otherwise rounds `extent`
/// up to a power of two, if that is at least 16 and at most a quarter larger,
/// so that all threads have parts of one size; else to a multiple of 16, the
/// size of matrix instructions.
int64_t fitFragments(int64_t extent, int64_t limit);

/// Estimates the time of a kernel whose blocks compute a tile each, in cycles
/// (LaunchTime.h).
double estimateMatmul(const MatmulTile &tile, const MatmulSizes &sizes,
                      const Architecture &target);

/// Returns the tile with the least estimated time.
MatmulTile chooseMatmulTile(const MatmulSizes &sizes,
                            const Architecture &target);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_MATMULTILES_H
