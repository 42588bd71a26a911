// Tensors.cpp - tiles as tensors: types, and loops over whole tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"
#include "Patterns.h"

#include "tile/IR/ElementRegion.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

/// Converts the type of an array in global memory to one without a memory
/// space, with elements in their storage type.
static MemRefType convertArray(MemRefType array) {
  if (!isGlobalArray(array))
    return array;
  return MemRefType::get(array.getShape(),
                         cpu::getStorageType(array.getElementType()),
                         array.getLayout(), /*memorySpace=*/Attribute());
}

cpu::TypeConverter::TypeConverter() {
  addConversion([](Type type) { return getStorageType(type); });
  addConversion([](MemRefType array) { return convertArray(array); });
  addConversion([this](TileType tile) { return getTensor(tile); });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs,
                 Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

RankedTensorType cpu::TypeConverter::getTensor(TileType tile) const {
  return RankedTensorType::get(tile.getShape(),
                               getStorageType(tile.getElementType()));
}

Type cpu::getElement(Type type) {
  if (auto tile = dyn_cast<TileType>(type))
    return tile.getElementType();
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

SmallVector<Value> cpu::buildParallel(OpBuilder &builder, Location loc,
                                      ArrayRef<RankedTensorType> results,
                                      ValueRange inputs,
                                      ArrayRef<AffineMap> maps,
                                      PointBody body) {
  int64_t rank = results.front().getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> allMaps(maps);
  if (maps.empty())
    allMaps.assign(inputs.size(), identity);
  SmallVector<Value> outputs;
  for (RankedTensorType type : results) {
    outputs.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                              type.getElementType()));
    allMaps.push_back(identity);
  }
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  SmallVector<Type> types(results.begin(), results.end());
  auto generic = linalg::GenericOp::create(
      builder, loc, types, inputs, outputs, allMaps, iterators,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        linalg::YieldOp::create(
            nested, nestedLoc,
            body(nested, nestedLoc, elements.take_front(inputs.size())));
      });
  return SmallVector<Value>(generic.getResults());
}

Value cpu::buildParallel(
    OpBuilder &builder, Location loc, RankedTensorType result,
    ValueRange inputs,
    function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  return buildParallel(builder, loc, ArrayRef(result), inputs, {},
                       [&](OpBuilder &nested, Location nestedLoc,
                           ValueRange elements) -> SmallVector<Value> {
                         return {body(nested, nestedLoc, elements)};
                       })
      .front();
}

Value cpu::buildFill(OpBuilder &builder, Location loc, RankedTensorType type,
                     Value value) {
  return buildParallel(
      builder, loc, type, {},
      [&](OpBuilder &, Location, ValueRange) { return value; });
}

SmallVector<Value> cpu::buildPerElement(OpBuilder &builder, Location loc,
                                        ArrayRef<RankedTensorType> results,
                                        ValueRange operands, PointBody body) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  int64_t rank = results.front().getRank();
  for (Value operand : operands) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      continue;
    inputs.push_back(operand);
    maps.push_back(type.getShape() == results.front().getShape()
                       ? builder.getMultiDimIdentityMap(rank)
                       : getRepetition(builder, type.getShape(), rank,
                                       /*dims=*/std::nullopt));
  }
  return buildParallel(
      builder, loc, results, inputs, maps,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        SmallVector<Value> scalars;
        for (Value operand : operands) {
          bool isTile = isa<RankedTensorType>(operand.getType());
          scalars.push_back(isTile ? elements.front() : operand);
          if (isTile)
            elements = elements.drop_front();
        }
        return body(nested, nestedLoc, scalars);
      });
}

Value cpu::convertElements(OpBuilder &builder, Location loc, Value tensor,
                           Type from, Type to) {
  if (from == to)
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  return buildParallel(
      builder, loc, type.clone(getStorageType(to)), tensor,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        return convert(nested, nestedLoc, elements[0], from, to, {});
      });
}

/// Casts a value to another type that is converted to the same type, by a cast
/// that the conversion removes.
static Value retype(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

SmallVector<Value> cpu::inlineElementRegion(OpBuilder &builder, Location loc,
                                            Region &region,
                                            ValueRange arguments) {
  SmallVector<Value> elements;
  for (auto [argument, value] :
       llvm::zip_equal(region.getArguments(), arguments))
    elements.push_back(retype(builder, loc, value, argument.getType()));
  SmallVector<Value> yielded =
      tile::inlineElementRegion(builder, region, elements);
  for (Value &value : yielded)
    value = retype(builder, loc, value, getStorageType(value.getType()));
  return yielded;
}

SmallVector<Value> cpu::createElements(OpBuilder &builder,
                                       ElementOpInterface op,
                                       ValueRange operands) {
  Location loc = op.getLoc();
  SmallVector<Value> elements;
  for (auto [type, value] : llvm::zip_equal(op->getOperandTypes(), operands))
    elements.push_back(retype(builder, loc, value, getElement(type)));
  SmallVector<Value> made = op.createElements(builder, elements);
  for (Value &value : made)
    value = retype(builder, loc, value, getStorageType(value.getType()));
  return made;
}

Value cpu::readBuffer(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return bufferization::ToTensorOp::create(
      builder, loc,
      RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
      /*restrict=*/true, /*writable=*/true);
}

Value cpu::buildRowMajorIndex(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                              ValueRange coordinates) {
  Value index = arith::ConstantIndexOp::create(b, 0);
  for (auto [extent, at] : llvm::zip_equal(shape, coordinates)) {
    Value rows = arith::MulIOp::create(
        b, index, arith::ConstantIndexOp::create(b, extent));
    index = arith::AddIOp::create(b, rows, at);
  }
  return index;
}

SmallVector<Value> cpu::buildCoordinates(ImplicitLocOpBuilder &b,
                                         ArrayRef<int64_t> shape, Value index) {
  SmallVector<Value> coordinates(shape.size());
  for (int64_t dim = shape.size(); dim-- > 0;) {
    Value extent = arith::ConstantIndexOp::create(b, shape[dim]);
    coordinates[dim] = arith::RemUIOp::create(b, index, extent);
    index = arith::DivUIOp::create(b, index, extent);
  }
  return coordinates;
}

Value cpu::copyToBuffer(ImplicitLocOpBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value buffer = createBuffer(b, type);
  forEachCoordinate(
      b, type.getShape(),
      [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
        Value element = tensor::ExtractOp::create(body, tensor, coordinates);
        memref::StoreOp::create(body, element, buffer, coordinates);
      });
  return buffer;
}

void cpu::forEachCoordinate(
    ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
    function_ref<void(ImplicitLocOpBuilder &, ValueRange)> body) {
  SmallVector<Value> lows(shape.size(), arith::ConstantIndexOp::create(b, 0));
  SmallVector<Value> steps(shape.size(), arith::ConstantIndexOp::create(b, 1));
  SmallVector<Value> highs;
  for (int64_t extent : shape)
    highs.push_back(arith::ConstantIndexOp::create(b, extent));
  scf::buildLoopNest(
      b, b.getLoc(), lows, highs, steps,
      [&](OpBuilder &nested, Location loc, ValueRange coordinates) {
        ImplicitLocOpBuilder inner(loc, nested);
        body(inner, coordinates);
      });
}

Value cpu::extractIndex(ImplicitLocOpBuilder &b, Value indices,
                        ValueRange coordinates) {
  auto type = cast<RankedTensorType>(indices.getType());
  SmallVector<Value> at(coordinates);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) == 1)
      at[dim] = arith::ConstantIndexOp::create(b, 0);
  Value index = tensor::ExtractOp::create(b, indices, at);
  if (index.getType().isIndex())
    return index;
  return arith::IndexCastOp::create(b, b.getIndexType(), index);
}
