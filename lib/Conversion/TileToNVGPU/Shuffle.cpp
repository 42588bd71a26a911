// Shuffle.cpp - elements of other lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction shuffles 32 bits. Narrower elements are widened to 32 bits,
// and wider ones are divided into registers of 32 bits.

#include "Shuffle.h"

#include "tile/Layout/RegisterLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

using ShuffleRegister = llvm::function_ref<Value(Value)>;

/// Shuffles an element by shuffles of 32-bit registers.
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
  if (type == i32 || type.isF32())
    return shuffleRegister(value);
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  if (isa<FloatType>(type)) {
    Value bits = arith::BitcastOp::create(builder, loc, integer, value);
    return arith::BitcastOp::create(builder, loc, type, shuffle(bits));
  }
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

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static NVVM::ShflKind getKind(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return NVVM::ShflKind::bfly;
  case gpu::ShuffleMode::UP:
    return NVVM::ShflKind::up;
  case gpu::ShuffleMode::DOWN:
    return NVVM::ShflKind::down;
  case gpu::ShuffleMode::IDX:
    return NVVM::ShflKind::idx;
  }
  llvm_unreachable("all modes are listed");
}

void tile::lowerShuffles(LLVM::LLVMFuncOp function) {
  SmallVector<gpu::ShuffleOp> shuffles;
  function.walk([&](gpu::ShuffleOp op) {
    APInt width;
    if (matchPattern(op.getWidth(), m_ConstantInt(&width)) &&
        width == kWarpSize && op.getValid().use_empty())
      shuffles.push_back(op);
  });
  if (shuffles.empty())
    return;
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  auto makeConstant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, function.getLoc(),
                                    builder.getI32IntegerAttr(value));
  };
  Value allLanes = makeConstant(-1);
  // The clamp is the last lane that may be read; for `up`, the first one (PTX
  // ISA, "shfl.sync").
  Value last = makeConstant(kWarpSize - 1), first = makeConstant(0);
  for (gpu::ShuffleOp op : shuffles) {
    builder.setInsertionPoint(op);
    Value clamp = op.getMode() == gpu::ShuffleMode::UP ? first : last;
    auto instruction = NVVM::ShflOp::create(
        builder, op.getLoc(), op.getValue().getType(), allLanes, op.getValue(),
        op.getOffset(), clamp, getKind(op.getMode()),
        /*return_value_and_is_valid=*/nullptr);
    op.getShuffleResult().replaceAllUsesWith(instruction.getRes());
    op.erase();
  }
}
