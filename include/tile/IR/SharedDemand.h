// SharedDemand.h - requirements of readers on a layout in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_SHAREDDEMAND_H
#define TILE_IR_SHAREDDEMAND_H

#include "tile/Layout/RegisterLayout.h"

#include "mlir/IR/Value.h"

namespace tile {

/// Collects the requirements that the uses of a tile in shared memory have on
/// its layout. Each use calls the functions below, by
/// BufferizeOpInterface::addDemand, with the dimensions of its own operand.
class SharedDemand {
public:
  virtual ~SharedDemand() = default;

  /// States that `alias` is the tile under another name, whose dimension d is
  /// dimension `dims[d]` of the operand. Requirements of its uses count as
  /// well.
  virtual void follow(mlir::Value alias, llvm::ArrayRef<int64_t> dims) = 0;
  /// States that `alias` is the tile under another name, with the same
  /// dimensions.
  virtual void follow(mlir::Value alias) = 0;
  /// States that `alias` is the part of the tile that starts at `offsets`.
  virtual void follow(mlir::Value alias, mlir::OperandRange offsets) = 0;
  /// States that the elements are read in row-major order.
  virtual void requireRowMajor() = 0;
  /// States that the tile is read to registers of this layout.
  virtual void addRead(const RegisterLayout &layout) = 0;
};

} // namespace tile

#endif // TILE_IR_SHAREDDEMAND_H
