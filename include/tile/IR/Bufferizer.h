// Bufferizer.h - creation and lookup of the buffers of tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_BUFFERIZER_H
#define TILE_IR_BUFFERIZER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tile {

class CopyableOpInterface;
class TileType;

/// Creates and finds the buffers of tiles in shared memory.
/// BufferizeOpInterface::bufferize is called in program order, with the builder
/// before the operation, so that the buffers of its operands are known.
class Bufferizer {
public:
  explicit Bufferizer(mlir::MLIRContext *context) : builder(context) {}
  virtual ~Bufferizer() = default;

  mlir::OpBuilder builder;

  /// Returns the buffer of a tile in shared memory; null for a tile in
  /// registers.
  mlir::Value lookup(mlir::Value tile) const {
    return buffers.lookupOrNull(tile);
  }
  /// Records that the operation's result is in `buffer`; the operation is
  /// erased at the end.
  void setBuffer(mlir::Operation *op, mlir::Value buffer);
  /// Replaces the operation's result with a tile in registers; the operation is
  /// erased at the end.
  void replace(mlir::Operation *op, mlir::Value tile);
  /// Records that the operation's result is not needed; the operation is erased
  /// at the end.
  void drop(mlir::Operation *op) { replaced.push_back(op); }

  /// Creates a buffer for a tile in shared memory.
  /// @pre the layout of the tile is resolved.
  mlir::Value createBuffer(mlir::Location loc, TileType type);
  /// Creates the view of shape `shape` at `offsets` of a tile's buffer.
  mlir::Value createView(mlir::Location loc, mlir::Value buffer,
                         mlir::ValueRange offsets,
                         llvm::ArrayRef<int64_t> shape);
  /// Writes a tile in registers to a buffer of its shape. If `padding`, also
  /// writes zeros to the buffer's padding, since a reader needs them.
  void store(mlir::Location loc, mlir::Value tile, mlir::Value buffer,
             bool padding = false);
  /// Creates a buffer for a tile of type `to` and stores a tile in registers
  /// there.
  mlir::Value storeToNew(mlir::Location loc, mlir::Value tile, TileType to);
  /// Creates a buffer for a tile of type `to` and copies the elements of the
  /// buffer `source` to it.
  mlir::Value copyBuffer(mlir::Location loc, mlir::Value source, TileType to);
  /// Returns the buffer that an operation may change to turn its operand `dest`
  /// into its result: the buffer of `dest` if nothing else reads it, otherwise
  /// a new copy.
  mlir::Value getToChange(mlir::Operation *op, mlir::Value dest);
  /// Returns a tile in registers, of any layout, with the elements of `tile`.
  /// If `tile` is the result of a conversion, its source is used.
  mlir::Value getInRegisters(mlir::Location loc, mlir::Value tile);

  /// Stores a tile in registers to a new buffer, from which threads then load
  /// it in the layout of `to`. Returns the buffer.
  virtual mlir::Value storeToExchange(mlir::Location loc, mlir::Value tile,
                                      TileType to) = 0;
  /// Copies the box of a load to a new buffer, and returns the buffer.
  virtual mlir::Value load(CopyableOpInterface load) = 0;

protected:
  llvm::SmallVector<mlir::Operation *> replaced;

private:
  /// Loads a buffer to registers in a layout with rows over the lanes, by
  /// accesses of one element. `box` may be larger than the buffer's tile.
  mlir::Value loadRows(mlir::Location loc, mlir::Value buffer,
                       llvm::ArrayRef<int64_t> box);

  mlir::IRMapping buffers;
};

} // namespace tile

#endif // TILE_IR_BUFFERIZER_H
