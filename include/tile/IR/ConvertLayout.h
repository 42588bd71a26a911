// ConvertLayout.h - conversions between layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_CONVERTLAYOUT_H
#define TILE_IR_CONVERTLAYOUT_H

#include "tile/IR/Tile.h"

namespace tile {

/// Return the storage "registers" and "shared memory", with a layout that is
/// still to be chosen.
RegisterAttr getAnyRegisters(mlir::MLIRContext *context);
SharedAttr getAnyShared(mlir::MLIRContext *context);

/// Whether a value is a tile whose storage is registers.
bool isInRegisters(mlir::Value value);
/// Whether a value is a tile whose storage is shared memory.
bool isInShared(mlir::Value value);
/// Returns the layout of a tile in registers.
/// @pre isInRegisters(tile), and its layout is resolved.
RegisterLayout getRegisterLayout(mlir::Value tile);

/// Returns the tile converted to `storage`.
mlir::Value convertTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, mlir::Attribute storage);
/// Returns a copy of a tile in shared memory for `user`, whose layout is still
/// to be chosen: for a matmul that of an earlier matmul of the block, or a new
/// one.
mlir::Value getSharedCopy(mlir::Operation *user, mlir::Value tile);
/// Returns the tile converted to registers with the layout `layout`; `tile`
/// itself if its layout is equivalent.
mlir::Value convertTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, const RegisterLayout &layout);

/// The way in which a conversion from registers to registers moves elements.
enum class RegisterMove {
  inThread, ///< each thread holds its elements already
  shuffles, ///< lanes of the same warp hold them
  exchange, ///< they pass through shared memory
};
RegisterMove getRegisterMove(TileType from, TileType to);
/// Whether an operation converts a tile in registers to another layout, and
/// threads exchange its elements through a buffer.
bool isExchange(mlir::Operation *op);

/// Sets the type of a tile to one of the same shape and element type. The value
/// of a constant is changed accordingly.
void retype(mlir::Value tile, TileType type);

/// Sets the layout of a result to `made`, in which its operation leaves it, and
/// converts the result to the type `wanted` for its users.
void setResult(mlir::OpResult result, const RegisterLayout &made,
               TileType wanted);
/// Calls setResult for each result of an operation.
void setResults(mlir::Operation *op, const RegisterLayout &made,
                llvm::ArrayRef<TileType> wanted);
/// Converts an operand to shared memory.
void convertToShared(mlir::OpOperand &operand);
/// Sets the storage of an operation's result to shared memory, and converts the
/// result to the type `wanted` for its users.
void setSharedResult(mlir::Operation *op, TileType wanted);

/// Returns the layout of a reshaped tile for which no element moves between
/// threads. It exists in two cases. Either the source is padded only along
/// leading dimensions that the reshape keeps, and the digits of its layout fit
/// the new shape. Or the reshape only adds or removes extents of one, and no
/// removed extent is padded: the threads along a padded extent hold padding,
/// not copies of the element. Otherwise returns nothing.
std::optional<RegisterLayout> reshapeLayout(const RegisterLayout &source,
                                            llvm::ArrayRef<int64_t> from,
                                            llvm::ArrayRef<int64_t> to);

/// Returns the layout of a source of shape `from` that can be broadcast to
/// `result`, of shape `to`, without moving elements between threads.
RegisterLayout broadcastSource(const RegisterLayout &result,
                               llvm::ArrayRef<int64_t> from,
                               llvm::ArrayRef<int64_t> to);

/// Returns a layout in which dimension `contiguous` of `box` has stride one and
/// the other dimensions follow from the last to the first. `extra` elements lie
/// between the end of a row and the next row. The buffer is aligned to
/// `alignment` bytes.
SharedAttr getRowsInShared(mlir::MLIRContext *context,
                           llvm::ArrayRef<int64_t> box, int64_t contiguous,
                           int64_t extra = 0, SwizzleAttr swizzle = {},
                           int64_t alignment = 16);
/// Returns the row-major layout of a tile without padding.
SharedAttr getCompactShared(TileType tile);

} // namespace tile

#endif // TILE_IR_CONVERTLAYOUT_H
