// Float8.cpp - conversions of f8 in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Float8.h"

#include "RegisterTiles.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// First architecture with the cvt instructions of .e4m3x2 and .e5m2x2: sm_89
/// (PTX ISA, "cvt").
static constexpr int kConvertsFloat8 = 89;

/// Converts elements in pairs; for an odd count, the last one is paired with
/// itself.
static SmallVector<Value>
convertPairs(OpBuilder &builder, Location loc, ArrayRef<Value> values,
             function_ref<Value(Value low, Value high)> convert) {
  SmallVector<Value> results;
  for (size_t i = 0; i < values.size(); i += 2) {
    bool isPair = i + 1 < values.size();
    Value pair = convert(values[i], values[i + isPair]);
    for (int64_t j = 0; j <= isPair; ++j)
      results.push_back(extractElement(builder, loc, pair, j));
  }
  return results;
}

static Value makePair(OpBuilder &builder, Location loc, Value low, Value high) {
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({2}, low.getType()), ValueRange{low, high});
}

SmallVector<Value> tile::widenFloat8(OpBuilder &builder, Location loc,
                                     ArrayRef<Value> values,
                                     const Architecture &architecture) {
  BitBuilder b(builder, loc);
  Type element = values.front().getType();
  auto codes = llvm::map_to_vector(
      values, [&](Value value) { return b.bitcast(b.getI8Type(), value); });
  if (architecture.number < kConvertsFloat8)
    return llvm::map_to_vector(
        codes, [&](Value code) { return widenFloat8(b, code, element); });
  return convertPairs(b, loc, codes, [&](Value low, Value high) -> Value {
    return NVVM::ConvertF8x2ToF16x2Op::create(
        b, VectorType::get({2}, b.getF16Type()), makePair(b, loc, low, high),
        /*relu=*/false, element);
  });
}

/// Converts elements to f16 or f32 such that rounding the results to f8 is the
/// same as rounding the elements themselves.
static SmallVector<Value>
prepareNarrowing(BitBuilder &b, ArrayRef<Value> values, bool takesHalves) {
  return llvm::map_to_vector(values, [&](Value value) -> Value {
    Type type = value.getType();
    if (type.isF64())
      return roundToOdd(b, value);
    if (type.isF32() || (type.isF16() && takesHalves))
      return value;
    return arith::ExtFOp::create(b, b.getF32Type(), value);
  });
}

SmallVector<Value> tile::narrowToFloat8(OpBuilder &builder, Location loc,
                                        ArrayRef<Value> values, Type element,
                                        const Architecture &architecture) {
  BitBuilder b(builder, loc);
  bool converts = architecture.number >= kConvertsFloat8;
  SmallVector<Value> sources = prepareNarrowing(b, values, converts);
  auto narrowOne = [&](Value value) {
    return narrowToFloat8(b, value, element, /*saturates=*/true);
  };
  auto narrowTwo = [&](Value low, Value high) -> Value {
    auto type = VectorType::get({2}, b.getI8Type());
    if (low.getType().isF16())
      return NVVM::ConvertF16x2ToF8x2Op::create(
          b, type, makePair(b, loc, low, high), /*relu=*/false, element);
    return NVVM::ConvertF32x2ToF8x2Op::create(
        b, type, high, low, NVVM::FPRoundingMode::RN,
        NVVM::SaturationMode::SATFINITE, /*relu=*/false, element);
  };
  SmallVector<Value> codes = converts ? convertPairs(b, loc, sources, narrowTwo)
                                      : llvm::map_to_vector(sources, narrowOne);
  return llvm::map_to_vector(
      codes, [&](Value code) { return b.bitcast(element, code); });
}
