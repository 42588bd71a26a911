// RegisterTiles.cpp - a thread's share of a tile as SSA values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegisterTiles.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace tile;

/// Bits of a register.
static constexpr int64_t kRegisterBits = 32;

int64_t tile::getNumValues(TileType type) {
  return type.getRegister().getRegisterLayout().getNumValues();
}

int64_t tile::getPackWidth(TileType type) {
  Type element = type.getElementType();
  if (!isVectorElement(element) || element.isIndex())
    return 1;
  int64_t width = kRegisterBits / element.getIntOrFloatBitWidth();
  return width > 1 && getNumValues(type) % width == 0 ? width : 1;
}

Type tile::getPackType(TileType type) {
  int64_t width = getPackWidth(type);
  return width == 1 ? type.getElementType()
                    : VectorType::get({width}, type.getElementType());
}

SmallVector<Type> tile::getPackTypes(TileType type) {
  return SmallVector<Type>(getNumValues(type) / getPackWidth(type),
                           getPackType(type));
}

static bool haveOneOwner(ValueRange values) {
  return llvm::all_equal(llvm::map_range(
      values, [](Value value) { return value.getDefiningOp(); }));
}

void tile::replaceWithPacks(ConversionPatternRewriter &rewriter, Operation *op,
                            SmallVector<SmallVector<Value>> packs) {
  for (SmallVector<Value> &values : packs)
    if (!haveOneOwner(values))
      values = UnrealizedConversionCastOp::create(rewriter, op->getLoc(),
                                                  ValueRange(values).getTypes(),
                                                  values)
                   .getResults();
  rewriter.replaceOpWithMultiple(op, std::move(packs));
}

void tile::eraseBundles(Operation *root) {
  root->walk([](UnrealizedConversionCastOp op) {
    if (op.getOperandTypes() != op.getResultTypes())
      return;
    op->replaceAllUsesWith(op.getInputs());
    op.erase();
  });
}

Value tile::createZero(OpBuilder &builder, Location loc, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Attribute zero = builder.getZeroAttr(complex.getElementType());
    return complex::ConstantOp::create(builder, loc, complex,
                                       builder.getArrayAttr({zero, zero}));
  }
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(builder.getZeroAttr(type)));
}

Value tile::extractElement(OpBuilder &builder, Location loc, Value value,
                           int64_t index) {
  if (!isa<VectorType>(value.getType()))
    return value;
  return vector::ExtractOp::create(builder, loc, value, index);
}

static int64_t widthOf(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}

SmallVector<Value> tile::unpack(OpBuilder &builder, Location loc, TileType type,
                                ValueRange packs) {
  SmallVector<Value> elements;
  for (Value value : packs)
    for (int64_t i = 0; i < widthOf(value); ++i)
      elements.push_back(extractElement(builder, loc, value, i));
  return elements;
}

SmallVector<Value> tile::pack(OpBuilder &builder, Location loc, TileType type,
                              ValueRange elements) {
  int64_t width = getPackWidth(type);
  if (width == 1)
    return SmallVector<Value>(elements);
  SmallVector<Value> packs;
  auto vector = cast<VectorType>(getPackType(type));
  for (size_t first = 0; first < elements.size(); first += width)
    packs.push_back(vector::FromElementsOp::create(
        builder, loc, vector, elements.slice(first, width)));
  return packs;
}

Value tile::getChunk(OpBuilder &builder, Location loc, TileType type,
                     ValueRange packs, int64_t first, int64_t count) {
  int64_t width = getPackWidth(type);
  if (count == 1)
    return extractElement(builder, loc, packs[first / width], first % width);
  if (count == width)
    return packs[first / width];
  SmallVector<Value> elements;
  for (int64_t i = first; i < first + count; ++i)
    elements.push_back(
        extractElement(builder, loc, packs[i / width], i % width));
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({count}, type.getElementType()), elements);
}

SmallVector<Value> tile::packChunks(OpBuilder &builder, Location loc,
                                    TileType type, ValueRange chunks) {
  int64_t width = getPackWidth(type);
  int64_t count = widthOf(chunks.front());
  if (count == width)
    return SmallVector<Value>(chunks);
  if (width > 1 && count % width == 0) {
    SmallVector<Value> packs;
    for (Value chunk : chunks)
      for (int64_t first = 0; first < count; first += width)
        packs.push_back(vector::ShuffleOp::create(
            builder, loc, chunk, chunk,
            llvm::to_vector(llvm::seq<int64_t>(first, first + width))));
    return packs;
  }
  return pack(builder, loc, type, unpack(builder, loc, type, chunks));
}

SmallVector<Value> tile::repeatElements(TileType from, ArrayRef<Value> elements,
                                        TileType to) {
  RegisterLayout source = from.getRegister().getRegisterLayout();
  RegisterLayout result = to.getRegister().getRegisterLayout();
  int64_t leading = to.getRank() - from.getRank();
  std::map<std::vector<int64_t>, int64_t> valueAt;
  for (int64_t value = 0; value < source.getNumValues(); ++value)
    valueAt[source.valueOffset(value)] = value;
  SmallVector<Value> repeated;
  for (int64_t value = 0; value < result.getNumValues(); ++value) {
    std::vector<int64_t> at = result.valueOffset(value);
    at.erase(at.begin(), at.begin() + leading);
    for (int64_t dim = 0; dim < from.getRank(); ++dim)
      if (from.getDimSize(dim) == 1 && to.getDimSize(leading + dim) != 1)
        at[dim] = 0;
    repeated.push_back(elements[valueAt.at(at)]);
  }
  return repeated;
}

SmallVector<Value> tile::repeatIndices(OpBuilder &builder, Location loc,
                                       TileType indices, ValueRange packs,
                                       TileType tile) {
  auto values = llvm::map_to_vector(
      unpack(builder, loc, indices, packs), [&](Value value) -> Value {
        return builder.createOrFold<arith::IndexCastOp>(
            loc, builder.getIndexType(), value);
      });
  return repeatElements(indices, values, tile);
}
