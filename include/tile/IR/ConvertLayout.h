// ConvertLayout.h - conversions between layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_CONVERTLAYOUT_H
#define TILE_IR_CONVERTLAYOUT_H

#include "tile/IR/Tile.h"

namespace tile {

/// Storage of a layout that is still to be chosen.
RegisterAttr getAnyRegisters(mlir::MLIRContext *context);
SharedAttr getAnyShared(mlir::MLIRContext *context);

/// Whether a value is a tile whose storage is registers.
bool isInRegisters(mlir::Value value);
/// Whether a value is a tile whose storage is shared memory.
bool isInShared(mlir::Value value);
/// @pre isInRegisters(tile), of a resolved layout.
RegisterLayout getRegisterLayout(mlir::Value tile);

/// The tile in another storage.
mlir::Value convertTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, mlir::Attribute storage);
/// The tile in registers of that layout: `tile` itself if it has an equivalent
/// layout.
mlir::Value convertTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, const RegisterLayout &layout);

/// How a conversion from registers to registers is made.
enum class RegisterMove {
  inThread, ///< each thread has its elements already
  shuffles, ///< lanes of a warp have them
  exchange, ///< through shared memory
};
RegisterMove getRegisterMove(TileType from, TileType to);

/// Gives a tile, which may be a constant, another type of the same shape and
/// element type.
void retype(mlir::Value tile, TileType type);

/// Gives a result the layout `made` that its operation leaves, and its users
/// the type `wanted`.
void setResult(mlir::OpResult result, const RegisterLayout &made,
               TileType wanted);
/// Calls setResult for each result of an operation.
void setResults(mlir::Operation *op, const RegisterLayout &made,
                llvm::ArrayRef<TileType> wanted);
/// Brings an operand to shared memory.
void convertToShared(mlir::OpOperand &operand);
/// Makes an operation's result in shared memory, and gives its users the type
/// `wanted`.
void setSharedResult(mlir::Operation *op, TileType wanted);

/// The layout that a reshape leaves without moving elements. It exists if the
/// source is padded at most along leading dimensions that stay, and its digits
/// are some of the new shape's dimensions, or if only extents of one are added
/// or removed. None if such an extent is padded: the threads along it hold
/// padding, not replicas.
std::optional<RegisterLayout> reshapeLayout(const RegisterLayout &source,
                                            llvm::ArrayRef<int64_t> from,
                                            llvm::ArrayRef<int64_t> to);

/// The layout of a source that broadcasts to `result` without moving data.
RegisterLayout broadcastSource(const RegisterLayout &result,
                               llvm::ArrayRef<int64_t> from,
                               llvm::ArrayRef<int64_t> to);

/// Rows of `box` with `contiguous` as the dimension of stride one, the others
/// from the last to the first, `extra` elements between the end of a row and
/// the next one, aligned to `alignment` bytes.
SharedAttr getRowsInShared(mlir::MLIRContext *context,
                           llvm::ArrayRef<int64_t> box, int64_t contiguous,
                           int64_t extra = 0, SwizzleAttr swizzle = {},
                           int64_t alignment = 16);
/// Row-major order without padding.
SharedAttr getCompactShared(TileType tile);

} // namespace tile

#endif // TILE_IR_CONVERTLAYOUT_H
