// ArrayView.h - arrays of the tensor views of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_ARRAYVIEW_H
#define TILE_LIB_IMPORT_CUDATILE_ARRAYVIEW_H

#include "KernelTranslator.h"

namespace tile::cudatile {

/// A view of an array at a parameter of the entry, in cuTile's calling
/// convention: the parameters after the pointer are the array's extents, and
/// then its strides.
class ArrayView {
public:
  ArrayView(KernelTranslator &t, const SourceOp &op, const Meaning &base)
      : t(t), op(op), type(*op.results.front()->type),
        firstExtent(t.getParameter(base.base) + 1),
        firstStride(firstExtent + type.shape.size()), starts(type.shape.size()),
        sizes(type.shape.size()) {}

  /// Finds the start of the view along each dimension, given its offset from
  /// the array's address, in elements. Returns whether it is a view of the
  /// array.
  bool findStarts(mlir::Value offset);
  /// Finds the size of the view along each dimension.
  mlir::LogicalResult findSizes();
  /// Returns the type of the array; null if it has no translation.
  mlir::MemRefType getArrayType() const;
  /// Returns the view of `array`, which is the array itself if the view is of
  /// all of it.
  mlir::Value create(mlir::Value array) const;

private:
  bool hasOwnStrides() const;
  bool addStarts(mlir::Value offset);
  bool addStart(mlir::Value term);
  std::optional<unsigned> findStride(mlir::Value factor) const;

  KernelTranslator &t;
  const SourceOp &op;
  const SourceType &type;
  unsigned firstExtent, firstStride;
  /// Whether the view has no offset.
  bool isWhole = false;
  /// Whether the type has all extents and strides, and the view has no offset.
  /// The array then has these, and no parameters.
  bool isStatic = false;
  /// Null for zero.
  llvm::SmallVector<mlir::Value> starts;
  /// Null for the array's extent.
  llvm::SmallVector<mlir::Value> sizes;
};

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_ARRAYVIEW_H
