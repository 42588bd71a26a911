// WidenBytes.cpp - conversions of 8-bit integers to floating point in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WidenBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Number of bytes of a register.
static constexpr int64_t kBytes = 4;

namespace {
/// Converts four bytes.
class ByteWidener {
public:
  ByteWidener(OpBuilder &builder, Location loc, bool isUnsigned)
      : builder(builder), loc(loc), isUnsigned(isUnsigned) {}

  SmallVector<Value> widen(ArrayRef<Value> values, FloatType to) {
    Value bytes = join(values);
    if (to.isF16())
      return llvm::to_vector(
          llvm::concat<Value>(widenToF16(bytes, 0), widenToF16(bytes, 2)));
    SmallVector<Value> wide;
    for (int64_t i = 0; i < kBytes; ++i)
      wide.push_back(widenToF32(bytes, i));
    return to.isF32() ? wide : narrow(wide, to);
  }

private:
  Value join(ArrayRef<Value> values);
  Value permute(Value bytes, ArrayRef<int64_t> byte, ArrayRef<int64_t> mask,
                Type element);
  Value subtract(Value value, double power);
  SmallVector<Value> split(Value vector);
  SmallVector<Value> widenToF16(Value bytes, int64_t first);
  Value widenToF32(Value bytes, int64_t index);
  SmallVector<Value> narrow(ArrayRef<Value> wide, FloatType to);

  OpBuilder &builder;
  Location loc;
  bool isUnsigned;
};
} // namespace

/// Returns the bytes in one register, 128 more than the values if these are
/// signed. Missing values are zero.
Value ByteWidener::join(ArrayRef<Value> values) {
  auto bytes = VectorType::get({kBytes}, builder.getI8Type());
  auto word = VectorType::get({1}, builder.getI32Type());
  SmallVector<Value> elements(values);
  if (values.size() < kBytes)
    elements.resize(kBytes, arith::ConstantOp::create(
                                builder, loc, builder.getI8IntegerAttr(0)));
  Value joined = vector::FromElementsOp::create(builder, loc, bytes, elements);
  if (isUnsigned)
    return joined;
  Value flip = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(word, APInt(32, 0x80808080)));
  Value flipped = arith::XOrIOp::create(
      builder, loc, vector::BitCastOp::create(builder, loc, word, joined),
      flip);
  return vector::BitCastOp::create(builder, loc, bytes, flipped);
}

/// Returns bytes of `bytes` (0 to 3) and of `constant` (from 4 on) in the order
/// of `mask`, as a vector of `element`.
Value ByteWidener::permute(Value bytes, ArrayRef<int64_t> constant,
                           ArrayRef<int64_t> mask, Type element) {
  auto type = cast<VectorType>(bytes.getType());
  SmallVector<int8_t> filled(kBytes, 0);
  for (auto [to, from] : llvm::zip(filled, constant))
    to = static_cast<int8_t>(from);
  Value other = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef(filled)));
  Value permuted = vector::ShuffleOp::create(builder, loc, bytes, other, mask);
  int64_t count = kBytes * 8 / element.getIntOrFloatBitWidth();
  return vector::BitCastOp::create(builder, loc,
                                   VectorType::get({count}, element), permuted);
}

/// Subtracts `power`, and 128 from values that were signed.
Value ByteWidener::subtract(Value value, double power) {
  Type type = value.getType();
  auto bias = builder.getFloatAttr(getElementTypeOrSelf(type),
                                   isUnsigned ? power : power + 128);
  return arith::SubFOp::create(
      builder, loc, value,
      arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(cast<ShapedType>(type), bias)));
}

SmallVector<Value> ByteWidener::split(Value vector) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < cast<VectorType>(vector.getType()).getDimSize(0); ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, vector, i));
  return elements;
}

/// Converts bytes `first` and `first` + 1: 0x6400 is 2^10.
SmallVector<Value> ByteWidener::widenToF16(Value bytes, int64_t first) {
  Value pair =
      permute(bytes, {0x64}, {first, 4, first + 1, 4}, builder.getF16Type());
  return split(subtract(pair, 0x1p10));
}

/// Converts byte `index`: 0x4b000000 is 2^23.
Value ByteWidener::widenToF32(Value bytes, int64_t index) {
  Value one = permute(bytes, {0, 0x4b}, {index, 4, 4, 5}, builder.getF32Type());
  return split(subtract(one, 0x1p23)).front();
}

/// Rounds f32 to a type that has all integers of 8 bits, in pairs.
SmallVector<Value> ByteWidener::narrow(ArrayRef<Value> wide, FloatType to) {
  SmallVector<Value> results;
  for (int64_t i = 0; i < kBytes; i += 2) {
    Value pair = vector::FromElementsOp::create(
        builder, loc, VectorType::get({2}, builder.getF32Type()),
        wide.slice(i, 2));
    llvm::append_range(results,
                       split(arith::TruncFOp::create(
                           builder, loc, VectorType::get({2}, to), pair)));
  }
  return results;
}

bool tile::canWidenBytes(Type from, Type to) {
  return from.isInteger(8) && (to.isF16() || to.isBF16() || to.isF32());
}

SmallVector<Value> tile::widenBytes(OpBuilder &builder, Location loc,
                                    ArrayRef<Value> values, bool isUnsigned,
                                    FloatType to) {
  ByteWidener widener(builder, loc, isUnsigned);
  SmallVector<Value> results;
  for (size_t i = 0; i < values.size(); i += kBytes)
    llvm::append_range(results,
                       widener.widen(values.slice(i).take_front(kBytes), to));
  results.resize(values.size());
  return results;
}
