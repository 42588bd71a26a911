// Shuffle.cpp - elements of other lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction shuffles 32 bits: narrower elements are widened, wider ones
// go in halves.

#include "Shuffle.h"

#include "tile/Layout/RegisterLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace tile;

using ShuffleRegister = llvm::function_ref<Value(Value)>;

/// An element by shuffles of 32-bit integers.
static Value shuffleElement(OpBuilder &builder, Location loc, Value value,
                            ShuffleRegister shuffleRegister) {
  Type type = value.getType();
  auto shuffle = [&](Value part) {
    return shuffleElement(builder, loc, part, shuffleRegister);
  };
  if (type.isIndex()) {
    Value integer =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    return arith::IndexCastOp::create(builder, loc, type, shuffle(integer));
  }
  if (isa<ComplexType>(type)) {
    Value real = complex::ReOp::create(builder, loc, value);
    Value imaginary = complex::ImOp::create(builder, loc, value);
    real = shuffle(real);
    imaginary = shuffle(imaginary);
    return complex::CreateOp::create(builder, loc, type, real, imaginary);
  }
  Type i32 = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  if (isa<FloatType>(type)) {
    Value bits = arith::BitcastOp::create(builder, loc, integer, value);
    return arith::BitcastOp::create(builder, loc, type, shuffle(bits));
  }
  if (width == 32)
    return shuffleRegister(value);
  if (width < 32) {
    Value wide = arith::ExtUIOp::create(builder, loc, i32, value);
    return arith::TruncIOp::create(builder, loc, type, shuffleRegister(wide));
  }
  Value half =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 32));
  Value low = arith::TruncIOp::create(builder, loc, i32, value);
  Value high = arith::TruncIOp::create(
      builder, loc, i32, arith::ShRUIOp::create(builder, loc, value, half));
  low = arith::ExtUIOp::create(builder, loc, type, shuffleRegister(low));
  high = arith::ExtUIOp::create(builder, loc, type, shuffleRegister(high));
  return arith::OrIOp::create(builder, loc, low,
                              arith::ShLIOp::create(builder, loc, high, half));
}

Value tile::shuffle(OpBuilder &builder, Location loc, Value value,
                    gpu::ShuffleMode mode, int64_t distance) {
  return shuffleElement(builder, loc, value, [&](Value part) {
    return gpu::ShuffleOp::create(builder, loc, part,
                                  static_cast<int32_t>(distance),
                                  static_cast<int32_t>(kWarpSize), mode)
        .getShuffleResult();
  });
}

Value tile::readLane(OpBuilder &builder, Location loc, Value value,
                     Value lane) {
  return shuffleElement(builder, loc, value, [&](Value part) {
    Value width =
        arith::ConstantIntOp::create(builder, loc, kWarpSize, /*width=*/32);
    return gpu::ShuffleOp::create(builder, loc, part, lane, width,
                                  gpu::ShuffleMode::IDX)
        .getShuffleResult();
  });
}
