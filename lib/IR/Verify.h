// Verify.h - constraints that operations of several files have in common
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_VERIFY_H
#define TILE_LIB_IR_VERIFY_H

#include "tile/IR/Tile.h"

namespace tile {

/// Verifies the limits of an operation's algorithm, if the algorithm is
/// registered in the context.
/// @pre the type of the operation's first operand is valid otherwise.
mlir::LogicalResult verifyLimits(mlir::Operation *op);

/// Verifies that an operation of the host is not in a kernel.
mlir::LogicalResult verifyOnHost(mlir::Operation *op);

/// Verifies that a mask, if there is one, has the tile's shape and element type
/// i1.
mlir::LogicalResult verifyMask(mlir::Operation *op, mlir::Value mask,
                               TileType tile);

/// Whether a tile of shape `from` can be repeated to fill a tile of shape `to`.
/// `from` may lack leading dimensions of `to`; each of its extents must be one
/// or the corresponding extent of `to`.
bool isRepeated(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Verifies that the axis is a dimension of a tile of rank `rank`.
mlir::LogicalResult verifyAxis(mlir::Operation *op, int64_t axis, int64_t rank);

/// Verifies that the indices have the tile's extents, or one instead, and
/// integer elements.
/// @p whose names the extents, as in "the tile's".
mlir::LogicalResult verifyIndexTile(mlir::Operation *op, llvm::StringRef whose,
                                    TileType tile, TileType indices);

/// Verifies the index tile, that the axis is an axis of the tile, and the mask.
mlir::LogicalResult verifyIndices(mlir::Operation *op, llvm::StringRef whose,
                                  TileType tile, TileType indices, int64_t axis,
                                  mlir::Value mask);

/// Verifies that two tiles, or a tile and a buffer, have the same shape and
/// element type: (C1) of changes of storage and layout.
mlir::LogicalResult verifySameTile(mlir::Operation *op, mlir::Type expected,
                                   mlir::Type actual);

/// Verifies (C1) to (C3) of load and store, or (C1) and (C2) of copies: a box
/// of an array.
mlir::LogicalResult verifyBox(mlir::Operation *op, mlir::MemRefType array,
                              mlir::Type box, size_t numOffsets);

/// Verifies that the tile is in registers, with a resolved layout.
mlir::LogicalResult verifyInRegisters(mlir::Operation *op, TileType tile);

/// Verifies that the kind of update has a meaning for the element type.
mlir::LogicalResult verifyUpdate(mlir::Operation *op, AtomicKind kind,
                                 mlir::Type element);

/// Verifies that the part has the whole's element type, and its extents except
/// along an axis.
/// @p what names the part, and @p of the whole.
mlir::LogicalResult verifyAlongAxis(mlir::Operation *op, llvm::StringRef what,
                                    mlir::ShapedType part, llvm::StringRef of,
                                    mlir::ShapedType whole, int64_t axis);

/// Verifies (C1) to (C5) of tile.put and tile_gpu.put_shared.
template <typename Op>
mlir::LogicalResult verifyPut(Op op) {
  TileType values = op.getValues().getType();
  // C1, C2
  if (failed(verifyAlongAxis(
          op, "values", values, "tile",
          mlir::cast<mlir::ShapedType>(op.getDest().getType()), op.getAxis())))
    return mlir::failure();
  // C3, C4
  if (failed(verifyIndices(op, "values'", values, op.getIndices().getType(),
                           op.getAxis(), op.getMask())))
    return mlir::failure();
  // C5
  std::optional<AtomicKind> kind = op.getKind();
  if (kind && *kind == AtomicKind::compare_exchange)
    return op.emitOpError("expected a kind other than 'compare_exchange'");
  return kind ? verifyUpdate(op, *kind, values.getElementType())
              : mlir::success();
}

/// Verifies shapes, element types, precision and tiling of a matmul.
mlir::LogicalResult verifyMatmul(MatmulOpInterface op);

/// Adds a read effect for each operand of a matmul that is a buffer; operands
/// that are values have no effect.
void addOperandReads(MatmulOpInterface op,
                     llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<
                         mlir::MemoryEffects::Effect>> &effects);

} // namespace tile

#endif // TILE_LIB_IR_VERIFY_H
