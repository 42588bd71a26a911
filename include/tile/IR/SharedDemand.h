// SharedDemand.h - requirements of readers on a layout in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SHAREDDEMAND_H
#define TILE_IR_SHAREDDEMAND_H

#include "tile/Layout/RegisterLayout.h"

#include "mlir/IR/Value.h"

namespace tile {

/// Collects the requirements of the uses of a tile in shared memory; each use
/// states its own by BufferizeOpInterface::addDemand, in the dimensions of its
/// operand.
class SharedDemand {
public:
  virtual ~SharedDemand() = default;

  /// `alias` is the tile under another name: its dimension d is the operand's
  /// `dims[d]`. The requirements of its uses count, too.
  virtual void follow(mlir::Value alias, llvm::ArrayRef<int64_t> dims) = 0;
  /// `alias` is the tile under another name, with the operand's dimensions.
  virtual void follow(mlir::Value alias) = 0;
  /// `alias` is the part of the tile that starts at `offsets`.
  virtual void follow(mlir::Value alias, mlir::OperandRange offsets) = 0;
  /// The elements are read in row-major order.
  virtual void requireRowMajor() = 0;
  /// The tile is read to registers of a layout.
  virtual void addRead(const RegisterLayout &layout) = 0;
};

} // namespace tile

#endif // TILE_IR_SHAREDDEMAND_H
