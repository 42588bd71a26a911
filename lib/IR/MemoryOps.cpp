// MemoryOps.cpp - tile.load, tile.store
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// (C1) to (C3) of load and store, (C1) and (C2) of copies: a box of an array.
static LogicalResult verifyBox(Operation *op, MemRefType array, Type box,
                               size_t numOffsets) {
  auto shaped = cast<ShapedType>(box);
  // C1
  if (static_cast<int64_t>(numOffsets) != array.getRank())
    return op->emitOpError()
           << "expected " << array.getRank()
           << " offsets (the array's rank), got " << numOffsets;
  // C2
  if (shaped.getRank() > array.getRank())
    return op->emitOpError()
           << "expected a tile of rank at most " << array.getRank()
           << " (the array's), got rank " << shaped.getRank();
  // C3
  if (shaped.getElementType() != array.getElementType())
    return op->emitOpError()
           << "expected element type " << array.getElementType()
           << " (the array's), got " << shaped.getElementType();
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyBox(*this, cast<MemRefType>(getSource().getType()), getType(),
                   getOffsets().size());
}

LogicalResult StoreOp::verify() {
  return verifyBox(*this, cast<MemRefType>(getDest().getType()),
                   getValue().getType(), getOffsets().size());
}

LogicalResult CopyAsyncOp::verify() {
  // C3
  if (getEnds() && !getCovering())
    return emitOpError()
           << "expected 'covering' with a buffer for the ends of rows";
  return verifyBox(*this, cast<MemRefType>(getSource().getType()),
                   getDest().getType(), getOffsets().size());
}

LogicalResult AlignRowsOp::verify() {
  return verifyBox(*this, cast<MemRefType>(getSource().getType()),
                   getDest().getType(), getOffsets().size());
}
