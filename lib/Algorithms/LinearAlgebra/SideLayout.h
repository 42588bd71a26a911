// SideLayout.h - lanes that hold whole right-hand sides of triangular systems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_SIDELAYOUT_H
#define TILE_LIB_ALGORITHMS_SIDELAYOUT_H

#include "tile/IR/Tile.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tile {

/// Distribution of the right-hand sides of a `tile.triangular_solve`. If there
/// are enough of them, a lane holds whole ones, and all lanes read the elements
/// of the triangle from a buffer in shared memory, by reads of one address. A
/// warp then needs n^2 / 2 multiply-adds and n^2 / 8 reads (f32) for its
/// right-hand sides. Otherwise several lanes hold a right-hand side, in the
/// layout of FactorLayout.h, and exchange elements by shuffles.
class SideLayout {
public:
  explicit SideLayout(TriangularSolveOp op)
      : triangle(op.getTriangle().getType()), rhs(op.getRhs().getType()),
        isSame(op.getTriangle() == op.getRhs()) {}

  /// Returns the number of warps that have work: each has a matrix, or a part
  /// of the right-hand sides of the only one.
  int64_t countWarps() const;
  /// Returns the layout of the right-hand sides.
  RegisterLayout getLayout(int64_t numWarps) const;
  /// Returns the type of the buffer (warp, row, column) for the triangle that
  /// each warp reads, in a layout of the triangle's box, and two rows more: the
  /// scale and the reciprocal of each element of the diagonal. Returns null if
  /// no lane holds a whole right-hand side.
  mlir::MemRefType getScratchType(int64_t numWarps) const;

private:
  bool hasEnoughSides() const;
  RegisterLayout getWholeLayout(int64_t numWarps) const;
  mlir::MemRefType getBuffer(int64_t numWarps) const;
  bool isWhole(int64_t numWarps) const;
  int64_t getOrder() const;
  int64_t getNumSides() const;
  int64_t getNumMatrices() const;
  int64_t getBytes() const;

  TileType triangle, rhs;
  bool isSame; ///< one tile is both operands
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_SIDELAYOUT_H
