// Bufferizer.h - creation and lookup of the buffers of tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_BUFFERIZER_H
#define TILE_IR_BUFFERIZER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tile {

class CopyableOpInterface;
class TileType;

/// The buffers of the tiles in shared memory that come before an operation.
/// BufferizeOpInterface::bufferize is called in program order, with the builder
/// in front of the operation.
class Bufferizer {
public:
  Bufferizer(mlir::MLIRContext *context, int64_t numWarps)
      : builder(context), numWarps(numWarps) {}
  virtual ~Bufferizer() = default;

  mlir::OpBuilder builder;

  int64_t getNumWarps() const { return numWarps; }
  /// The buffer of a tile in shared memory; null for one in registers.
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

  /// A buffer for a tile in shared memory. @pre its layout is resolved.
  mlir::Value createBuffer(mlir::Location loc, TileType type);
  /// The box of a buffer's tile that starts at `offsets`.
  mlir::Value createView(mlir::Location loc, mlir::Value buffer,
                         mlir::ValueRange offsets,
                         llvm::ArrayRef<int64_t> shape);
  /// Writes a tile in registers to a buffer of its shape, and zeros to the
  /// buffer's padding if there is `padding` that is read.
  void store(mlir::Location loc, mlir::Value tile, mlir::Value buffer,
             bool padding = false);
  /// A buffer for a tile of type `to`, filled with a tile in registers.
  mlir::Value storeToNew(mlir::Location loc, mlir::Value tile, TileType to);
  /// A buffer for a tile of type `to`, filled with another one's elements.
  mlir::Value copyBuffer(mlir::Location loc, mlir::Value source, TileType to);
  /// The buffer that an operation may change to make its result of `dest`: the
  /// buffer of `dest` if nothing else reads it, otherwise a copy.
  mlir::Value getToChange(mlir::Operation *op, mlir::Value dest);
  /// A tile's elements in registers, of any layout: a conversion that only
  /// moved them is skipped.
  mlir::Value getInRegisters(mlir::Location loc, mlir::Value tile);

  /// A buffer through which threads hand a tile to a layout in registers.
  virtual mlir::Value storeToExchange(mlir::Location loc, mlir::Value tile,
                                      TileType to) = 0;
  /// A buffer into which a load's box is copied.
  virtual mlir::Value load(CopyableOpInterface load) = 0;

protected:
  int64_t numWarps;
  llvm::SmallVector<mlir::Operation *> replaced;

private:
  /// Reads a buffer to registers, with one element per value of a thread and
  /// rows over the lanes. `box` may be larger than the buffer's tile.
  mlir::Value loadRows(mlir::Location loc, mlir::Value buffer,
                       llvm::ArrayRef<int64_t> box);

  mlir::IRMapping buffers;
};

} // namespace tile

#endif // TILE_IR_BUFFERIZER_H
