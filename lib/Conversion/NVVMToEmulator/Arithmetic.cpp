// Arithmetic.cpp - arithmetic whose results differ between host and GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arithmetic.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

namespace {
/// Rewrites one operation. The insertion point of the builder is before it.
struct ArithmeticConverter {
  Operation *op;
  OpBuilder builder;
  RuntimeCalls &calls;

  ArithmeticConverter(Operation *op, RuntimeCalls &calls)
      : op(op), builder(op), calls(calls) {}

  Location loc() { return op->getLoc(); }
  void replace(Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  void convertToBFloat(bool isSigned);
  void convertFma();

  /// Replaces the operation by the results of `compute`. For vectors it is
  /// called with the operands' elements at each position, for scalars once with
  /// the operands.
  void replaceByElement(function_ref<Value(ValueRange)> compute);
};
} // namespace

void ArithmeticConverter::replaceByElement(
    function_ref<Value(ValueRange)> compute) {
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector)
    return replace(compute(op->getOperands()));
  Value result = LLVM::PoisonOp::create(builder, loc(), vector);
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value position =
        LLVM::ConstantOp::create(builder, loc(), builder.getI64Type(), i);
    SmallVector<Value> elements;
    for (Value operand : op->getOperands())
      elements.push_back(
          LLVM::ExtractElementOp::create(builder, loc(), operand, position));
    result = LLVM::InsertElementOp::create(builder, loc(), result,
                                           compute(elements), position);
  }
  replace(result);
}

/// Returns the bits of a 16-bit float as an i32, the type with which the
/// functions of DeviceMath.h take and return such bits.
static Value widenCode(OpBuilder &builder, Location loc, Value value) {
  Value code =
      LLVM::BitcastOp::create(builder, loc, builder.getI16Type(), value);
  return LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), code);
}
static Value narrowCode(OpBuilder &builder, Location loc, Type type,
                        Value code) {
  code = LLVM::TruncOp::create(builder, loc, builder.getI16Type(), code);
  return LLVM::BitcastOp::create(builder, loc, type, code);
}

void ArithmeticConverter::convertToBFloat(bool isSigned) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  Type i64 = builder.getI64Type();
  replaceByElement([&](ValueRange operands) -> Value {
    Value value = operands[0];
    if (value.getType() != i64)
      value =
          isSigned
              ? LLVM::SExtOp::create(builder, loc(), i64, value).getResult()
              : LLVM::ZExtOp::create(builder, loc(), i64, value).getResult();
    Value code = calls.callMath(builder, loc(),
                                isSigned ? "tile_emulator_i64_to_bf16"
                                         : "tile_emulator_u64_to_bf16",
                                builder.getI32Type(), value);
    return narrowCode(builder, loc(), type, code);
  });
}

void ArithmeticConverter::convertFma() {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  replaceByElement([&](ValueRange operands) -> Value {
    SmallVector<Value> codes;
    for (Value operand : operands)
      codes.push_back(widenCode(builder, loc(), operand));
    Value code = calls.callMath(builder, loc(),
                                type.isF16() ? "tile_emulator_fma_f16"
                                             : "tile_emulator_fma_bf16",
                                builder.getI32Type(), codes);
    return narrowCode(builder, loc(), type, code);
  });
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

static void convertOperation(Operation *op, RuntimeCalls &calls) {
  ArithmeticConverter converter(op, calls);
  auto is16Bit = [](Value value) {
    Type type = getElementTypeOrSelf(value.getType());
    return type.isF16() || type.isBF16();
  };
  auto isBFloat = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isBF16();
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LLVM::SIToFPOp cast) {
        if (isBFloat(cast))
          converter.convertToBFloat(/*isSigned=*/true);
      })
      .Case([&](LLVM::UIToFPOp cast) {
        if (isBFloat(cast))
          converter.convertToBFloat(/*isSigned=*/false);
      })
      .Case([&](LLVM::FMAOp fma) {
        if (is16Bit(fma))
          converter.convertFma();
      })
      .Case([](LLVM::AssumeOp assume) { assume.erase(); });
}

void tile::convertArithmetic(LLVM::LLVMFuncOp function, RuntimeCalls &calls) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    convertOperation(op, calls);
}
