// ViewAccess.h - tiles of the views of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_VIEWACCESS_H
#define TILE_LIB_IMPORT_CUDATILE_VIEWACCESS_H

#include "KernelTranslator.h"

namespace tile::cudatile {

/// A tile of a view, as operands of the accesses to its array.
struct ViewAccess {
  mlir::Value array;
  /// The start along each dimension of the array.
  llvm::SmallVector<mlir::Value> offsets;
  llvm::ArrayRef<int64_t> shape;
  /// The dimension of the array for each one of the tile, null if they are in
  /// order.
  mlir::DenseI64ArrayAttr dims;
  /// The indices of a gather and scatter view along its dimension, in a tile of
  /// the view's rank; null for other views.
  mlir::Value places;
  std::optional<int64_t> axis;
  /// The value of elements outside of the array; null for zero.
  mlir::Value pad;
  /// Whether the program promises that no element is outside.
  bool isInBounds = false;

  mlir::IntegerAttr getAxis(KernelTranslator &t) const {
    return t.b.getI64IntegerAttr(*axis);
  }
  mlir::UnitAttr getInBounds(KernelTranslator &t) const {
    return isInBounds ? t.b.getUnitAttr() : mlir::UnitAttr();
  }
  /// Refuses an access with an order that has no translation.
  mlir::LogicalResult verifyAtomic(KernelTranslator &t,
                                   const SourceOp &op) const;
};

/// Returns the tile that the operands `view` and `index` name; nothing after an
/// error.
std::optional<ViewAccess> getViewAccess(KernelTranslator &t,
                                        const SourceOp &op);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_VIEWACCESS_H
