// MemoryOps.cpp - tile.load, tile.store, tile.gather, tile.scatter, atomics
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

#include "tile/IR/Tile.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

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

LogicalResult tile::verifyMask(Operation *op, Value mask, TileType tile) {
  auto type = mask ? cast<TileType>(mask.getType()) : TileType();
  if (!type || (type.getShape() == tile.getShape() &&
                type.getElementType().isInteger(1)))
    return success();
  return op->emitOpError() << "expected a mask of shape [" << tile.getShape()
                           << "] and element type i1, got " << type;
}

//===----------------------------------------------------------------------===//
// LoadOp, StoreOp
//===----------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Type result,
                   Value source, ValueRange offsets, Value pad, bool inBounds) {
  build(builder, state, result, source, offsets, pad, /*mask=*/Value(),
        inBounds);
}

LogicalResult LoadOp::verify() {
  if (failed(verifyBox(*this, cast<MemRefType>(getSource().getType()),
                       getType(), getOffsets().size())))
    return failure();
  // C4
  return verifyMask(*this, getMask(), getType());
}

LogicalResult StoreOp::verify() {
  TileType tile = getValue().getType();
  if (failed(verifyBox(*this, cast<MemRefType>(getDest().getType()), tile,
                       getOffsets().size())))
    return failure();
  // C4
  return verifyMask(*this, getMask(), tile);
}

/// Segments of earlier versions are set once the operands are read
/// (TileDialect.cpp).
LogicalResult StoreOp::readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.in_bounds)))
    return failure();
  if (TileDialect::readsUpTo(reader, 2))
    return success();
  return reader.readSparseArray(
      MutableArrayRef(properties.operandSegmentSizes));
}

void StoreOp::writeProperties(DialectBytecodeWriter &writer) {
  writer.writeOptionalAttribute(getProperties().in_bounds);
  writer.writeSparseArray(ArrayRef(getProperties().operandSegmentSizes));
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

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

LogicalResult tile::verifyUpdate(Operation *op, AtomicKind kind, Type element) {
  if (canUpdate(kind, element))
    return success();
  return op->emitOpError() << "expected elements of i8, i16, i32, i64"
                           << (isOfFloats(kind)
                                   ? ", index, f16, bf16, f32 or f64"
                                   : " or index")
                           << " for '" << stringifyAtomicKind(kind) << "', got "
                           << element;
}

LogicalResult AtomicRMWOp::readProperties(DialectBytecodeReader &reader,
                                          OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.in_bounds)) ||
      failed(reader.readAttribute(properties.kind)) ||
      failed(reader.readOptionalAttribute(properties.order)) ||
      failed(reader.readOptionalAttribute(properties.scope)) ||
      failed(reader.readSparseArray(
          MutableArrayRef(properties.operandSegmentSizes))))
    return failure();
  if (TileDialect::readsUpTo(reader, 2))
    return success();
  return reader.readOptionalAttribute(properties.ordered);
}

void AtomicRMWOp::writeProperties(DialectBytecodeWriter &writer) {
  Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.in_bounds);
  writer.writeAttribute(properties.kind);
  writer.writeOptionalAttribute(properties.order);
  writer.writeOptionalAttribute(properties.scope);
  writer.writeSparseArray(ArrayRef(properties.operandSegmentSizes));
  writer.writeOptionalAttribute(properties.ordered);
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyBox(*this, cast<MemRefType>(getDest().getType()),
                       getValue().getType(), getOffsets().size())))
    return failure();
  // C4
  if (failed(
          verifyUpdate(*this, getKind(),
                       cast<TileType>(getValue().getType()).getElementType())))
    return failure();
  // C5
  bool compares = getKind() == AtomicKind::compare_exchange;
  if (compares != static_cast<bool>(getExpected()))
    return emitOpError() << "expected " << (compares ? "an" : "no")
                         << " 'expected' tile for '"
                         << stringifyAtomicKind(getKind()) << "'";
  return success();
}

/// (C1) to (C5) of an atomic load or store, which may have one order.
template <typename Op>
static LogicalResult verifyAtomicAccess(Op op, Value array, TileType tile,
                                        AtomicOrder order) {
  if (failed(verifyBox(op, cast<MemRefType>(array.getType()), tile,
                       op.getOffsets().size())))
    return failure();
  // C4
  if (!canUpdate(AtomicKind::exchange, tile.getElementType()))
    return op.emitOpError() << "expected elements of i8, i16, i32, i64, index, "
                               "f16, bf16, f32 or f64, got "
                            << tile.getElementType();
  // C5
  if (op.getOrder() == AtomicOrder::relaxed || op.getOrder() == order)
    return success();
  return op.emitOpError() << "expected order 'relaxed' or '"
                          << stringifyAtomicOrder(order) << "', got '"
                          << stringifyAtomicOrder(op.getOrder()) << "'";
}

LogicalResult AtomicLoadOp::verify() {
  return verifyAtomicAccess(*this, getSource(), getType(),
                            AtomicOrder::acquire);
}

LogicalResult AtomicStoreOp::verify() {
  return verifyAtomicAccess(*this, getDest(), getValue().getType(),
                            AtomicOrder::release);
}

LogicalResult FenceOp::verify() {
  // C1
  if (getOrder() != AtomicOrder::relaxed)
    return success();
  return emitOpError("expected order 'acquire', 'release' or 'acq_rel', got "
                     "'relaxed'");
}

//===----------------------------------------------------------------------===//
// Accesses by index
//===----------------------------------------------------------------------===//

LogicalResult tile::verifyIndices(Operation *op, StringRef whose, TileType tile,
                                  TileType indices, int64_t axis, Value mask) {
  if (failed(verifyAxis(op, axis, tile.getRank())))
    return failure();
  bool fits = indices.getRank() == tile.getRank();
  for (int64_t dim = 0; fits && dim < tile.getRank(); ++dim)
    fits = indices.getDimSize(dim) == 1 ||
           indices.getDimSize(dim) == tile.getDimSize(dim);
  if (!fits)
    return op->emitOpError()
           << "expected indices of shape [" << tile.getShape() << "] (the "
           << whose << "), or of extent one instead, got ["
           << indices.getShape() << "]";
  Type element = indices.getElementType();
  if (!element.isIntOrIndex() || element.isInteger(1))
    return op->emitOpError() << "expected indices of element type i8, i16, "
                                "i32, i64 or index, got "
                             << element;
  return verifyMask(op, mask, tile);
}

LogicalResult GatherOp::verify() {
  if (failed(verifyBox(*this, cast<MemRefType>(getSource().getType()),
                       getType(), getOffsets().size())))
    return failure();
  // C4 to C6
  return verifyIndices(*this, "tile's", getType(), getIndices().getType(),
                       getAxis(), getMask());
}

LogicalResult ScatterOp::verify() {
  TileType tile = getValue().getType();
  if (failed(verifyBox(*this, cast<MemRefType>(getDest().getType()), tile,
                       getOffsets().size())) ||
      failed(verifyIndices(*this, "tile's", tile, getIndices().getType(),
                           getAxis(), getMask())))
    return failure();
  // C7
  std::optional<AtomicKind> kind = getKind();
  if (kind && *kind == AtomicKind::compare_exchange)
    return emitOpError("expected an atomic kind other than "
                       "'compare_exchange'");
  return kind ? verifyUpdate(*this, *kind, tile.getElementType()) : success();
}

/// Accesses of four elements and more, with their addresses.
int64_t CopyAsyncOp::getInstructions(int64_t, int64_t numThreads) {
  MemRefType dest = getDest().getType();
  int64_t elements = dest.hasStaticShape() ? dest.getNumElements() : 1;
  return llvm::divideCeil(elements, 4 * numThreads) * 4;
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
