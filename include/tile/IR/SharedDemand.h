// SharedDemand.h - what readers ask of a tile's layout in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SHAREDDEMAND_H
#define TILE_IR_SHAREDDEMAND_H

#include "tile/Layout/RegisterLayout.h"

#include "mlir/IR/Value.h"

namespace tile {

/// Collects what the uses of a tile in shared memory ask for; each use says it
/// by BufferizeOpInterface::addDemand, in the dimensions of its operand.
class SharedDemand {
public:
  virtual ~SharedDemand() = default;

  /// `alias` is the tile under another name: its dimension d is the operand's
  /// `dims[d]`. Its uses ask, too.
  virtual void follow(mlir::Value alias, llvm::ArrayRef<int64_t> dims) = 0;
  /// The same with the operand's dimensions.
  virtual void follow(mlir::Value alias) = 0;
  /// `alias` is the part of the tile that begins at these places.
  virtual void follow(mlir::Value alias, mlir::OperandRange offsets) = 0;
  /// The elements are read in row-major order.
  virtual void requireRowMajor() = 0;
  /// The tile is read to registers of a layout.
  virtual void addRead(const RegisterLayout &layout) = 0;
};

} // namespace tile

#endif // TILE_IR_SHAREDDEMAND_H
