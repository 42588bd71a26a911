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

/// A shuffle of one 32-bit integer.
static Value shuffleRegister(OpBuilder &builder, Location loc, Value value,
                             gpu::ShuffleMode mode, int64_t distance) {
  return gpu::ShuffleOp::create(builder, loc, value,
                                static_cast<int32_t>(distance),
                                static_cast<int32_t>(kWarpSize), mode)
      .getShuffleResult();
}

Value tile::shuffle(OpBuilder &builder, Location loc, Value value,
                    gpu::ShuffleMode mode, int64_t distance) {
  Type type = value.getType();
  if (type.isIndex()) {
    Value integer =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    return arith::IndexCastOp::create(
        builder, loc, type, shuffle(builder, loc, integer, mode, distance));
  }
  if (isa<ComplexType>(type)) {
    Value real = complex::ReOp::create(builder, loc, value);
    Value imaginary = complex::ImOp::create(builder, loc, value);
    real = shuffle(builder, loc, real, mode, distance);
    imaginary = shuffle(builder, loc, imaginary, mode, distance);
    return complex::CreateOp::create(builder, loc, type, real, imaginary);
  }
  Type i32 = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  if (isa<FloatType>(type)) {
    Value bits = arith::BitcastOp::create(builder, loc, integer, value);
    return arith::BitcastOp::create(
        builder, loc, type, shuffle(builder, loc, bits, mode, distance));
  }
  if (width == 32)
    return shuffleRegister(builder, loc, value, mode, distance);
  if (width < 32) {
    Value wide = arith::ExtUIOp::create(builder, loc, i32, value);
    wide = shuffleRegister(builder, loc, wide, mode, distance);
    return arith::TruncIOp::create(builder, loc, type, wide);
  }
  Value half =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 32));
  Value low = arith::TruncIOp::create(builder, loc, i32, value);
  Value high = arith::TruncIOp::create(
      builder, loc, i32, arith::ShRUIOp::create(builder, loc, value, half));
  low = arith::ExtUIOp::create(
      builder, loc, type, shuffleRegister(builder, loc, low, mode, distance));
  high = arith::ExtUIOp::create(
      builder, loc, type, shuffleRegister(builder, loc, high, mode, distance));
  return arith::OrIOp::create(builder, loc, low,
                              arith::ShLIOp::create(builder, loc, high, half));
}
