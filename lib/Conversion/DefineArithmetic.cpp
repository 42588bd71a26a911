// DefineArithmetic.cpp - integer arithmetic whose result LLVM leaves open
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/DefineArithmetic.h"

#include "tile/Conversion/Passes.h"
#include "tile/IR/ArithmeticAttrs.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tile {
#define GEN_PASS_DEF_DEFINEARITHMETIC
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Returns the value of an integer constant, or of all elements of a constant
/// vector if they are equal; otherwise none.
static std::optional<APInt> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

static bool isSignedDivision(Operation *op) {
  return isa<LLVM::SDivOp, LLVM::SRemOp>(op);
}

static bool isDivision(Operation *op) {
  return isSignedDivision(op) || isa<LLVM::UDivOp, LLVM::URemOp>(op);
}

static bool isShift(Operation *op) {
  return isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op);
}

static bool isOpenDivisor(const APInt &divisor, bool isSigned) {
  return divisor.isZero() || (isSigned && divisor.isAllOnes());
}

bool tile::isOpenArithmetic(Operation *op) {
  if (isa<LLVM::FPToSIOp, LLVM::FPToUIOp>(op))
    return true;
  if (!isDivision(op) && !isShift(op))
    return false;
  if (op->hasAttr(kDefinedAttr))
    return false;
  std::optional<APInt> known = getConstant(op->getOperand(1));
  if (!known)
    return true;
  return isDivision(op) ? isOpenDivisor(*known, isSignedDivision(op))
                        : known->uge(known->getBitWidth());
}

namespace {
/// Replaces one operation; the builder's insertion point is before it.
struct Definition {
  Operation *op;
  OpBuilder builder;
  ArithmeticTarget target;

  Definition(Operation *op, ArithmeticTarget target)
      : op(op), builder(op), target(target) {}

  void run();

private:
  Location loc() { return op->getLoc(); }
  template <typename Op, typename... Arguments>
  Value create(Arguments &&...arguments) {
    return Op::create(builder, loc(), std::forward<Arguments>(arguments)...)
        ->getResult(0);
  }
  Value constant(Type type, const APInt &value);
  Value compare(LLVM::ICmpPredicate predicate, Value a, const APInt &b);
  Value select(Value condition, const APInt &a, Value b);
  /// Replaces the uses of the result by `value`, which is computed from it.
  void pass(Value value);
  void replace(Value value);

  void defineDivision();
  void defineBoolDivision();
  Value overflows();
  void defineShift(bool keepsSign);
  void defineConversion(bool isSigned);
  /// Converts the elements of a vector.
  Value convertElements(Value value, Type to, bool isSigned);
  Value convertOnHost(Value value, Type to, bool isSigned);
  Value convertOnGpu(Value value, IntegerType to, bool isSigned);
  Value clamp(Value value, unsigned width, bool isSigned);
};
} // namespace

Value Definition::constant(Type type, const APInt &value) {
  TypedAttr attr = IntegerAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = SplatElementsAttr::get(vector, value);
  return create<LLVM::ConstantOp>(type, attr);
}

Value Definition::compare(LLVM::ICmpPredicate predicate, Value a,
                          const APInt &b) {
  return create<LLVM::ICmpOp>(predicate, a, constant(a.getType(), b));
}

Value Definition::select(Value condition, const APInt &a, Value b) {
  return create<LLVM::SelectOp>(condition, constant(b.getType(), a), b);
}

void Definition::pass(Value value) {
  op->getResult(0).replaceAllUsesExcept(value, value.getDefiningOp());
}

void Definition::replace(Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

//===----------------------------------------------------------------------===//
// Divisions and shifts
//===----------------------------------------------------------------------===//

/// Whether the dividend is the least integer, and the divisor -1.
Value Definition::overflows() {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  unsigned width = getElementTypeOrSelf(divisor).getIntOrFloatBitWidth();
  Value least = compare(LLVM::ICmpPredicate::eq, dividend,
                        APInt::getSignedMinValue(width));
  Value minusOne =
      compare(LLVM::ICmpPredicate::eq, divisor, APInt::getAllOnes(width));
  return create<LLVM::AndOp>(minusOne, least);
}

/// Defines a quotient or remainder of i1 values: the quotient by one is the
/// dividend, and the quotient by zero and all remainders are zero.
void Definition::defineBoolDivision() {
  Value dividend = op->getOperand(0);
  if (isa<LLVM::SDivOp, LLVM::UDivOp>(op))
    return replace(create<LLVM::AndOp>(dividend, op->getOperand(1)));
  replace(constant(dividend.getType(), APInt(1, 0)));
}

void Definition::defineDivision() {
  Value divisor = op->getOperand(1);
  unsigned width = getElementTypeOrSelf(divisor).getIntOrFloatBitWidth();
  if (width == 1)
    return defineBoolDivision();
  Value isZero =
      compare(LLVM::ICmpPredicate::eq, divisor, APInt::getZero(width));
  Value isBad = isZero;
  if (isSignedDivision(op))
    isBad = create<LLVM::OrOp>(isZero, overflows());
  op->setOperand(1, select(isBad, APInt(width, 1), divisor));
  op->setAttr(kDefinedAttr, builder.getUnitAttr());
  builder.setInsertionPointAfter(op);
  Value result = select(isZero, APInt::getZero(width), op->getResult(0));
  result.getDefiningOp()->setAttr(kZeroDivisorAttr, builder.getUnitAttr());
  pass(result);
}

void Definition::defineShift(bool keepsSign) {
  Value amount = op->getOperand(1);
  unsigned width = getElementTypeOrSelf(amount).getIntOrFloatBitWidth();
  Value isLarge =
      compare(LLVM::ICmpPredicate::uge, amount, APInt(width, width));
  // NVPTX combines a shift and a selection of zero to one shift instruction,
  // since PTX's shifts clamp the amount. For 64 bits it uses the lower 32 bits
  // of the amount.
  bool isMasked = !keepsSign && width == 64;
  Value small =
      isMasked
          ? create<LLVM::AndOp>(
                amount, constant(amount.getType(), APInt(width, width - 1)))
          : select(isLarge, APInt(width, keepsSign ? width - 1 : 0), amount);
  op->setOperand(1, small);
  op->setAttr(kDefinedAttr, builder.getUnitAttr());
  if (keepsSign)
    return;
  builder.setInsertionPointAfter(op);
  pass(select(isLarge, APInt::getZero(width), op->getResult(0)));
}

//===----------------------------------------------------------------------===//
// Floats to integers
//===----------------------------------------------------------------------===//

Value Definition::convertOnHost(Value value, Type to, bool isSigned) {
  StringRef name = isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  return create<LLVM::CallIntrinsicOp>(to, builder.getStringAttr(name), value);
}

/// Clamps `value`, an integer of a wider type, to the range of integers of
/// `width` bits.
Value Definition::clamp(Value value, unsigned width, bool isSigned) {
  Type type = value.getType();
  unsigned from = type.getIntOrFloatBitWidth();
  if (!isSigned)
    return create<LLVM::UMinOp>(
        value, constant(type, APInt::getMaxValue(width).zext(from)));
  value = create<LLVM::SMaxOp>(
      value, constant(type, APInt::getSignedMinValue(width).sext(from)));
  return create<LLVM::SMinOp>(
      value, constant(type, APInt::getSignedMaxValue(width).sext(from)));
}

/// Converts by an instruction to 32 or 64 bits. It rounds toward zero, limits
/// the result to its range, and returns zero for NaN if neither type has 64
/// bits (PTX ISA, "cvt").
Value Definition::convertOnGpu(Value value, IntegerType to, bool isSigned) {
  Type f32 = builder.getF32Type();
  if (value.getType().getIntOrFloatBitWidth() < 32)
    value = create<LLVM::FPExtOp>(f32, value);
  bool isDouble = value.getType().isF64(), isLong = to.getWidth() > 32;
  std::string name = "llvm.nvvm.";
  name += isDouble ? "d2" : "f2";
  name += isSigned ? "" : "u";
  name += isLong ? "ll.rz" : "i.rz";
  Type type = builder.getIntegerType(isLong ? 64 : 32);
  Value converted =
      create<LLVM::CallIntrinsicOp>(type, builder.getStringAttr(name), value);
  if (isDouble || isLong) {
    Value isNaN = create<LLVM::FCmpOp>(LLVM::FCmpPredicate::uno, value, value);
    converted =
        select(isNaN, APInt::getZero(type.getIntOrFloatBitWidth()), converted);
  }
  if (to == type)
    return converted;
  return create<LLVM::TruncOp>(to, clamp(converted, to.getWidth(), isSigned));
}

Value Definition::convertElements(Value value, Type to, bool isSigned) {
  auto vector = dyn_cast<VectorType>(to);
  if (!vector)
    return convertOnGpu(value, cast<IntegerType>(to), isSigned);
  Value result = create<LLVM::PoisonOp>(vector);
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value position = constant(builder.getI64Type(), APInt(64, i));
    Value element = create<LLVM::ExtractElementOp>(value, position);
    element = convertOnGpu(element, cast<IntegerType>(vector.getElementType()),
                           isSigned);
    result = create<LLVM::InsertElementOp>(result, element, position);
  }
  return result;
}

void Definition::defineConversion(bool isSigned) {
  Value value = op->getOperand(0);
  Type to = op->getResult(0).getType();
  replace(target == ArithmeticTarget::host
              ? convertOnHost(value, to, isSigned)
              : convertElements(value, to, isSigned));
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

void Definition::run() {
  llvm::TypeSwitch<Operation *>(op)
      .Case<LLVM::SDivOp, LLVM::SRemOp, LLVM::UDivOp, LLVM::URemOp>(
          [&](auto) { defineDivision(); })
      .Case<LLVM::ShlOp, LLVM::LShrOp>(
          [&](auto) { defineShift(/*keepsSign=*/false); })
      .Case([&](LLVM::AShrOp) { defineShift(/*keepsSign=*/true); })
      .Case([&](LLVM::FPToSIOp) { defineConversion(/*isSigned=*/true); })
      .Case([&](LLVM::FPToUIOp) { defineConversion(/*isSigned=*/false); });
}

void tile::defineArithmetic(Operation *op, ArithmeticTarget target) {
  Definition(op, target).run();
}

void tile::defineHostArithmetic(Operation *root) {
  SmallVector<Operation *> open;
  root->walk([&](Operation *op) {
    if (isOpenArithmetic(op))
      open.push_back(op);
  });
  for (Operation *op : open)
    defineArithmetic(op, ArithmeticTarget::host);
}

namespace {
struct DefineArithmetic : tile::impl::DefineArithmeticBase<DefineArithmetic> {
  using DefineArithmeticBase::DefineArithmeticBase;

  void runOnOperation() override { defineHostArithmetic(getOperation()); }
};
} // namespace
