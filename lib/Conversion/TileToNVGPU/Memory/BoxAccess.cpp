// BoxAccess.cpp - a tile's box in an array, and a thread's elements of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoxAccess.h"

#include "../RegisterTiles.h"

#include "tile/Analysis/AccessWidth.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Returns the values of operands that are not tiles: one for each operand.
static SmallVector<Value> flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    values.push_back(range.front());
  return values;
}

BoxAccess::BoxAccess(IndexBuilder &index, Value array,
                     ArrayRef<ValueRange> offsets, TileType tile, int64_t width)
    : index(index), array(array), offsets(flatten(offsets)), tile(tile),
      coordinates(index, tile.getRegister().getRegisterLayout()) {
  auto type = cast<MemRefType>(array.getType());
  leading = type.getRank() - tile.getRank();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(memref::DimOp::create(index.builder, index.loc, array,
                                          index.constant(dim)));
  contiguous = getContiguousDimension(type).value_or(-1);
  auto metadata =
      memref::ExtractStridedMetadataOp::create(index.builder, index.loc, array);
  base = metadata.getBaseBuffer();
  arrayOffset = metadata.getOffset();
  strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
  vector = width;
  run = narrowToLayout(
      tile, type, kMaxAccessBytes / getElementBytes(tile.getElementType()));
}

bool BoxAccess::hasRuns() const {
  return contiguous >= leading && isVectorElement(tile.getElementType());
}

Value BoxAccess::isBoxInside() {
  auto type = cast<MemRefType>(array.getType());
  return tile::isBoxInside(index, offsets, sizes,
                           getBoxExtents(type, tile.getShape()));
}

Value BoxAccess::isArrayEmpty() {
  Value empty;
  for (Value size : sizes) {
    Value none = index.builder.createOrFold<arith::CmpIOp>(
        index.loc, arith::CmpIPredicate::eq, size, index.constant(0));
    empty =
        empty ? index.builder.createOrFold<arith::OrIOp>(index.loc, empty, none)
              : none;
  }
  return empty;
}

SmallVector<Value> BoxAccess::at(int64_t value, ThreadCoordinates &by) {
  SmallVector<Value> result(offsets.begin(), offsets.end());
  for (int64_t dim = 0; dim < tile.getRank(); ++dim)
    result[leading + dim] =
        index.add(result[leading + dim], by.get(value, dim));
  return result;
}

Value BoxAccess::isInside(int64_t value, ArrayRef<Value> coordinate) {
  Value inside = coordinates.isInside(value, tile.getShape());
  Value zero = index.constant(0);
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    inside = index.both(inside, index.atMost(zero, coordinate[dim]));
    inside = index.both(inside, index.less(coordinate[dim], size));
  }
  return inside;
}

void BoxAccess::findLimits(const llvm::SmallBitVector &nonNegative) {
  if (!limits.empty())
    return;
  auto type = cast<MemRefType>(array.getType());
  SmallVector<int64_t> extents = getBoxExtents(type, tile.getShape());
  for (auto [dim, extent] : llvm::enumerate(extents))
    limits.push_back(getBoxLimits(index, offsets[dim], sizes[dim], extent,
                                  !nonNegative.empty() && nonNegative[dim]));
}

Value BoxAccess::constantI32(int64_t value) {
  return arith::ConstantIntOp::create(index.builder, index.loc, value, 32);
}

Value BoxAccess::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return index.builder.createOrFold<arith::CmpIOp>(index.loc, predicate, a, b);
}

/// Returns the thread's coordinate in the box along one of the array's
/// dimensions, plus a static offset.
Value BoxAccess::getOwn(int64_t dim, int64_t offset) {
  Value own = index.constant(offset);
  if (dim >= leading)
    own = index.add(coordinates.getBase(dim - leading), offset);
  return index.builder.createOrFold<arith::IndexCastOp>(
      index.loc, index.builder.getI32Type(), own);
}

/// Returns the number of elements from the thread's first one in a row to the
/// end of the row, or of its part inside the array; zero if the row is outside.
/// `offset` is the row's offset in the thread's coordinates.
Value BoxAccess::getLeft(const std::vector<int64_t> &offset) {
  Value inside;
  for (auto [dim, of] : llvm::enumerate(limits)) {
    int64_t arrayDim = dim;
    if (arrayDim == contiguous)
      continue;
    Value own =
        getOwn(arrayDim, arrayDim < leading ? 0 : offset[arrayDim - leading]);
    inside =
        index.both(inside, compare(arith::CmpIPredicate::slt, own, of.high));
    if (of.low)
      inside =
          index.both(inside, compare(arith::CmpIPredicate::sge, own, of.low));
  }
  Value left = index.builder.createOrFold<arith::SubIOp>(
      index.loc, limits[contiguous].high, getOwn(contiguous, 0));
  return inside ? index.select(inside, left, constantI32(0)) : left;
}

Value BoxAccess::isInside(int64_t value) {
  std::vector<int64_t> offset = coordinates.getLayout().valueOffset(value);
  int64_t along = std::exchange(offset[contiguous - leading], 0);
  Value &left = lefts[offset];
  if (!left)
    left = getLeft(offset);
  Value inside = compare(arith::CmpIPredicate::sgt, left, constantI32(along));
  if (Value low = limits[contiguous].low)
    inside = index.both(inside, compare(arith::CmpIPredicate::sge,
                                        getOwn(contiguous, along), low));
  return inside;
}

Value BoxAccess::hasWholeVectors() {
  if (tile.getShape()[contiguous - leading] % vector != 0)
    return Value();
  return areMultiples(index, limits[contiguous], vector);
}

Value BoxAccess::getMask(int64_t value) {
  SmallVector<Value> inside;
  for (int64_t i = 0; i < run; ++i)
    inside.push_back(isInside(value + i));
  auto mask = VectorType::get({run}, index.builder.getI1Type());
  return vector::FromElementsOp::create(index.builder, index.loc, mask, inside);
}

/// Returns the linear index of the thread's first element. The indices of the
/// thread's rows are computed from it by adding multiples of strides.
Value BoxAccess::getFirstRow(ThreadCoordinates &by) {
  SmallVector<Value> firstElement(offsets);
  for (int64_t dim = 0; dim < tile.getRank(); ++dim)
    firstElement[leading + dim] =
        index.add(firstElement[leading + dim], by.getBase(dim));
  return getElementIndex(index, arrayOffset, firstElement, strides);
}

Value BoxAccess::makeRow(const std::vector<int64_t> &offset,
                         ThreadCoordinates &by) {
  Value &firstRow = firstRows[&by];
  if (!firstRow)
    firstRow = getFirstRow(by);
  Value linear = firstRow;
  for (auto [dim, steps] : llvm::enumerate(offset))
    if (steps != 0)
      linear = index.add(linear, index.mul(strides[leading + dim], steps));
  return castToRow(linear);
}

/// Returns a memref of the contiguous elements from the index `linear` on.
Value BoxAccess::castToRow(Value linear) {
  auto type = cast<MemRefType>(array.getType());
  int64_t extent = coordinates.getLayout().getBox()[contiguous - leading];
  auto row = MemRefType::get(
      {extent}, type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, {1}),
      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      index.builder, index.loc, row, base, OpFoldResult(linear),
      ArrayRef<OpFoldResult>{index.builder.getIndexAttr(extent)},
      ArrayRef<OpFoldResult>{index.builder.getIndexAttr(1)});
}

BoxAccess::MemoryLocation BoxAccess::getLocationAt(ArrayRef<Value> coordinate) {
  int64_t last = cast<MemRefType>(array.getType()).getRank() - 1;
  // Vectors are loaded from a memref along its last dimension.
  if (contiguous < leading || contiguous == last)
    return {array, SmallVector<Value>(coordinate)};
  Value linear = getElementIndex(index, arrayOffset, coordinate, strides);
  return {castToRow(linear), {index.constant(0)}};
}

BoxAccess::MemoryLocation BoxAccess::getLocation(int64_t value,
                                                 ThreadCoordinates &by) {
  if (contiguous < leading)
    return {array, at(value, by)};
  std::vector<int64_t> offset = coordinates.getLayout().valueOffset(value);
  int64_t along = std::exchange(offset[contiguous - leading], 0);
  Value &row = rows[{&by, offset}];
  if (!row)
    row = makeRow(offset, by);
  return {row, {index.constant(along)}};
}

Value BoxAccess::getPointer(ArrayRef<Value> coordinate) {
  return getElementPointer(
      index, tile::getPointer(index, array, NVVM::NVVMMemorySpace::Global),
      getElementBytes(tile.getElementType()),
      getElementIndex(index, arrayOffset, coordinate, strides));
}

SmallVector<Value> tile::loadUnlessEmpty(IndexBuilder &index, BoxAccess &box,
                                         TileType type, Value pad,
                                         IndexBuilder::Emit load) {
  return index.emitIfElse(
      box.isArrayEmpty(), getPackTypes(type),
      [&] {
        return pack(index.builder, index.loc, type,
                    SmallVector<Value>(tile::getNumValues(type), pad));
      },
      load);
}

static llvm::MaybeAlign getAlignment(VectorType type) {
  return llvm::MaybeAlign(type.getNumElements() *
                          getElementBytes(type.getElementType()));
}

Value tile::loadChunk(IndexBuilder &index, Value memory, ArrayRef<Value> at,
                      int64_t width) {
  if (width == 1)
    return memref::LoadOp::create(index.builder, index.loc, memory, at);
  auto type = VectorType::get(
      {width}, cast<MemRefType>(memory.getType()).getElementType());
  return vector::LoadOp::create(index.builder, index.loc, type, memory, at,
                                /*nontemporal=*/false, getAlignment(type));
}

void tile::storeChunk(IndexBuilder &index, Value chunk, Value memory,
                      ArrayRef<Value> at) {
  auto type = dyn_cast<VectorType>(chunk.getType());
  if (type)
    vector::StoreOp::create(index.builder, index.loc, chunk, memory, at,
                            /*nontemporal=*/false, getAlignment(type));
  else
    memref::StoreOp::create(index.builder, index.loc, chunk, memory, at);
}
