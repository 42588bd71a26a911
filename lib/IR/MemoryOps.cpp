// MemoryOps.cpp - tile.load, tile.store, tile.gather, tile.scatter, atomics
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"
#include "tile/IR/PermutedAccess.h"

#include "tile/IR/Tile.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tile;

LogicalResult tile::verifyBox(Operation *op, MemRefType array, Type box,
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

/// Whether `dims` are distinct dimensions of an array.
static bool areDimensions(ArrayRef<int64_t> dims, int64_t rank) {
  llvm::SmallSet<int64_t, 8> different(dims.begin(), dims.end());
  return different.size() == dims.size() &&
         llvm::all_of(dims,
                      [&](int64_t dim) { return dim >= 0 && dim < rank; });
}

/// Verifies `dims`, if given, of load, store, gather, scatter and atomic
/// update.
static LogicalResult verifyDims(ArrayAccessOpInterface op,
                                std::optional<ArrayRef<int64_t>> dims) {
  int64_t arrayRank = cast<MemRefType>(op.getArray().getType()).getRank();
  int64_t rank = cast<TileType>(op.getAccessedTile().getType()).getRank();
  if (!dims || (static_cast<int64_t>(dims->size()) == rank &&
                areDimensions(*dims, arrayRank)))
    return success();
  return op->emitOpError() << "expected 'dims' of " << rank
                           << " (the tile's rank) different dimensions of the "
                              "array, from 0 to "
                           << arrayRank - 1 << ", got [" << *dims << "]";
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
        inBounds, /*dims=*/DenseI64ArrayAttr());
}

LogicalResult LoadOp::verify() {
  if (failed(verifyBox(*this, cast<MemRefType>(getSource().getType()),
                       getType(), getOffsets().size())))
    return failure();
  // C4, C5
  if (failed(verifyMask(*this, getMask(), getType())))
    return failure();
  return verifyDims(*this, getDims());
}

/// Reads an optional attribute that version 4 of the dialect added as a
/// property.
template <typename Attr>
static LogicalResult readSince4(DialectBytecodeReader &reader,
                                Attr &attribute) {
  return TileDialect::readsUpTo(reader, 3)
             ? success()
             : reader.readOptionalAttribute(attribute);
}

LogicalResult LoadOp::readProperties(DialectBytecodeReader &reader,
                                     OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.in_bounds)) ||
      failed(reader.readSparseArray(
          MutableArrayRef(properties.operandSegmentSizes))))
    return failure();
  return readSince4(reader, properties.dims);
}

void LoadOp::writeProperties(DialectBytecodeWriter &writer) {
  Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.in_bounds);
  writer.writeSparseArray(ArrayRef(properties.operandSegmentSizes));
  writer.writeOptionalAttribute(properties.dims);
}

LogicalResult StoreOp::verify() {
  TileType tile = getValue().getType();
  if (failed(verifyBox(*this, cast<MemRefType>(getDest().getType()), tile,
                       getOffsets().size())))
    return failure();
  // C4, C5
  if (failed(verifyMask(*this, getMask(), tile)))
    return failure();
  return verifyDims(*this, getDims());
}

/// Segment sizes of stores from earlier versions are set after the operands are
/// read (TileDialect.cpp).
LogicalResult StoreOp::readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.in_bounds)))
    return failure();
  if (TileDialect::readsUpTo(reader, 2))
    return success();
  if (failed(reader.readSparseArray(
          MutableArrayRef(properties.operandSegmentSizes))))
    return failure();
  return readSince4(reader, properties.dims);
}

void StoreOp::writeProperties(DialectBytecodeWriter &writer) {
  writer.writeOptionalAttribute(getProperties().in_bounds);
  writer.writeSparseArray(ArrayRef(getProperties().operandSegmentSizes));
  writer.writeOptionalAttribute(getProperties().dims);
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

/// Whether an atomic operation of this kind also exists for floating-point
/// elements.
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
  if (failed(reader.readOptionalAttribute(properties.ordered)))
    return failure();
  return readSince4(reader, properties.dims);
}

void AtomicRMWOp::writeProperties(DialectBytecodeWriter &writer) {
  Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.in_bounds);
  writer.writeAttribute(properties.kind);
  writer.writeOptionalAttribute(properties.order);
  writer.writeOptionalAttribute(properties.scope);
  writer.writeSparseArray(ArrayRef(properties.operandSegmentSizes));
  writer.writeOptionalAttribute(properties.ordered);
  writer.writeOptionalAttribute(properties.dims);
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
  // C6, C7
  if (failed(verifyMask(*this, getMask(), getType())))
    return failure();
  return verifyDims(*this, getDims());
}

/// Verifies (C1) to (C5) of an atomic load or store, for which only `order` and
/// relaxed are possible.
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

LogicalResult ArrayAtOp::verify() {
  MemRefType type = getResult().getType();
  auto [strides, offset] = type.getStridesAndOffset();
  // C1
  if (offset != 0)
    return emitOpError("expected an array of offset 0, got ") << type;
  // C2
  auto verifyCount = [&](size_t count, ArrayRef<int64_t> open,
                         StringRef what) -> LogicalResult {
    size_t expected = llvm::count_if(open, ShapedType::isDynamic);
    if (count == expected)
      return success();
    return emitOpError("expected ")
           << expected << " " << what << ", as many as " << type
           << " leaves open, got " << count;
  };
  return failure(
      failed(verifyCount(getSizes().size(), type.getShape(), "sizes")) ||
      failed(verifyCount(getStrides().size(), strides, "strides")));
}

//===----------------------------------------------------------------------===//
// Accesses by index
//===----------------------------------------------------------------------===//

LogicalResult tile::verifyIndexTile(Operation *op, StringRef whose,
                                    TileType tile, TileType indices) {
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
  return success();
}

LogicalResult tile::verifyIndices(Operation *op, StringRef whose, TileType tile,
                                  TileType indices, int64_t axis, Value mask) {
  if (failed(verifyAxis(op, axis, tile.getRank())) ||
      failed(verifyIndexTile(op, whose, tile, indices)))
    return failure();
  return verifyMask(op, mask, tile);
}

/// Verifies C4: the indices are along one axis of the tile, or along axes of
/// the array.
template <typename Op>
static LogicalResult verifyAxes(Op op, int64_t arrayRank, int64_t rank) {
  size_t count = op.getIndices().size();
  if (op.getAxis() && op.getAxes())
    return op.emitOpError("expected 'axis' or 'axes', got both");
  if (op.getAxis()) {
    if (count != 1)
      return op.emitOpError()
             << "expected one tile of indices for 'axis', got " << count
             << " ('axes' has a dimension of the array for "
                "each)";
    return verifyAxis(op, *op.getAxis(), rank);
  }
  if (!op.getAxes())
    return op.emitOpError("expected 'axis' or 'axes', got none");
  ArrayRef<int64_t> axes = *op.getAxes();
  if (count != 0 && axes.size() == count && areDimensions(axes, arrayRank))
    return success();
  return op.emitOpError() << "expected 'axes' of as many different dimensions "
                             "of the array as there are tiles of indices, from "
                             "0 to "
                          << arrayRank - 1 << ", got [" << axes << "] for "
                          << count;
}

/// Verifies (C1) to (C7) of gather and scatter.
template <typename Op>
static LogicalResult verifyIndexedAccess(Op op) {
  auto array = cast<MemRefType>(op.getArray().getType());
  auto tile = cast<TileType>(op.getAccessedTile().getType());
  if (failed(verifyBox(op, array, tile, op.getOffsets().size())) ||
      failed(verifyAxes(op, array.getRank(), tile.getRank())))
    return failure();
  for (Type indices : op.getIndices().getTypes())
    if (failed(verifyIndexTile(op, "tile's", tile, cast<TileType>(indices))))
      return failure();
  if (failed(verifyMask(op, op.getMask(), tile)))
    return failure();
  return verifyDims(op, op.getDims());
}

LogicalResult GatherOp::verify() { return verifyIndexedAccess(*this); }

LogicalResult ScatterOp::verify() {
  if (failed(verifyIndexedAccess(*this)))
    return failure();
  TileType tile = getValue().getType();
  // C8
  std::optional<AtomicKind> kind = getKind();
  if (kind && *kind == AtomicKind::compare_exchange)
    return emitOpError("expected an atomic kind other than "
                       "'compare_exchange'");
  if (kind && failed(verifyUpdate(*this, *kind, tile.getElementType())))
    return failure();
  // C9
  if (!getOld())
    return success();
  if (!kind)
    return emitOpError("expected no result without an atomic kind");
  if (getOld().getType() != tile)
    return emitOpError() << "expected a result of " << tile
                         << " (the value's type), got " << getOld().getType();
  return success();
}

void ScatterOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (getKind())
    effects.emplace_back(MemoryEffects::Read::get(), &getDestMutable(),
                         SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable(),
                       SideEffects::DefaultResource::get());
}

template <typename Op>
static SmallVector<int64_t> getAxesOf(Op op) {
  if (op.getAxes())
    return SmallVector<int64_t>(*op.getAxes());
  return {getArrayDimension(op, *op.getAxis())};
}

static SmallVector<OpOperand *> getEach(MutableOperandRange operands) {
  return llvm::map_to_vector(operands,
                             [](OpOperand &operand) { return &operand; });
}

SmallVector<int64_t> GatherOp::getArrayAxes() { return getAxesOf(*this); }
SmallVector<int64_t> ScatterOp::getArrayAxes() { return getAxesOf(*this); }

bool GatherOp::isIndexed(int64_t dim) {
  return llvm::is_contained(getArrayAxes(), getArrayDimension(*this, dim));
}
bool ScatterOp::isIndexed(int64_t dim) {
  return llvm::is_contained(getArrayAxes(), getArrayDimension(*this, dim));
}

SmallVector<OpOperand *> GatherOp::getIndexOperands() {
  return getEach(getIndicesMutable());
}
SmallVector<OpOperand *> ScatterOp::getIndexOperands() {
  return getEach(getIndicesMutable());
}

/// Reads the axis. Up to version 3 the attribute was not optional.
template <typename Properties>
static LogicalResult readAxis(DialectBytecodeReader &reader,
                              Properties &properties) {
  return TileDialect::readsUpTo(reader, 3)
             ? reader.readAttribute(properties.axis)
             : reader.readOptionalAttribute(properties.axis);
}

LogicalResult GatherOp::readProperties(DialectBytecodeReader &reader,
                                       OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(readAxis(reader, properties)) ||
      failed(reader.readOptionalAttribute(properties.in_bounds)) ||
      failed(reader.readSparseArray(
          MutableArrayRef(properties.operandSegmentSizes))) ||
      failed(readSince4(reader, properties.axes)))
    return failure();
  return readSince4(reader, properties.dims);
}

void GatherOp::writeProperties(DialectBytecodeWriter &writer) {
  Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.axis);
  writer.writeOptionalAttribute(properties.in_bounds);
  writer.writeSparseArray(ArrayRef(properties.operandSegmentSizes));
  writer.writeOptionalAttribute(properties.axes);
  writer.writeOptionalAttribute(properties.dims);
}

LogicalResult ScatterOp::readProperties(DialectBytecodeReader &reader,
                                        OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(readAxis(reader, properties)) ||
      failed(reader.readOptionalAttribute(properties.in_bounds)) ||
      failed(reader.readOptionalAttribute(properties.kind)) ||
      failed(reader.readSparseArray(
          MutableArrayRef(properties.operandSegmentSizes))) ||
      failed(readSince4(reader, properties.axes)))
    return failure();
  return readSince4(reader, properties.dims);
}

void ScatterOp::writeProperties(DialectBytecodeWriter &writer) {
  Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.axis);
  writer.writeOptionalAttribute(properties.in_bounds);
  writer.writeOptionalAttribute(properties.kind);
  writer.writeSparseArray(ArrayRef(properties.operandSegmentSizes));
  writer.writeOptionalAttribute(properties.axes);
  writer.writeOptionalAttribute(properties.dims);
}
