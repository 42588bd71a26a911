// MemoryOps.cpp - tile.load, tile.store, tile.atomic_rmw
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

/// Whether a kind is one of floating-point elements too.
static bool isOfFloats(AtomicKind kind) {
  return llvm::is_contained({AtomicKind::add, AtomicKind::min, AtomicKind::max,
                             AtomicKind::exchange,
                             AtomicKind::compare_exchange},
                            kind);
}

static bool canUpdate(AtomicKind kind, Type element) {
  if (isa<FloatType>(element))
    return isOfFloats(kind) && (element.isF16() || element.isBF16() ||
                                element.isF32() || element.isF64());
  return element.isIntOrIndex() && !element.isInteger(1);
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyBox(*this, cast<MemRefType>(getDest().getType()),
                       getValue().getType(), getOffsets().size())))
    return failure();
  Type element = cast<TileType>(getValue().getType()).getElementType();
  // C4
  if (!canUpdate(getKind(), element)) {
    return emitOpError() << "expected elements of i8, i16, i32, i64"
                         << (isOfFloats(getKind())
                                 ? ", index, f16, bf16, f32 or f64"
                                 : " or index")
                         << " for '" << stringifyAtomicKind(getKind())
                         << "', got " << element;
  }
  // C5
  bool compares = getKind() == AtomicKind::compare_exchange;
  if (compares != static_cast<bool>(getExpected()))
    return emitOpError() << "expected " << (compares ? "an" : "no")
                         << " 'expected' tile for '"
                         << stringifyAtomicKind(getKind()) << "'";
  return success();
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
