// ElementwiseToLinalg.cpp - arith and math on tiles and on small floats
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %c = arith.addf %a, %b : !tile.tile<8xf16>
//
// becomes a loop over the elements whose body is
//
//   %x = arith.extf %a_i : f16 to f32
//   %y = arith.extf %b_i : f16 to f32
//   %z = arith.addf %x, %y : f32
//   %c_i = arith.truncf %z : f32 to f16
//
// A scalar operation on f16, bf16 or f8 is replaced in place by such a body. An
// operation on a vector of them is replaced by such a body for each element.

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Returns the type in which `op` computes. In f64, the multiplication of a
/// fused multiply-add of small floats is exact; an f32 result would be rounded
/// twice.
static Type getWorkingType(Operation *op, Type element) {
  if (isa<math::FmaOp>(op) && cpu::isSmallFloat(element))
    return Float64Type::get(op->getContext());
  return cpu::getComputeType(element);
}

/// Whether `op` moves elements without reading their values.
static bool onlyMoves(Operation *op) { return isa<arith::SelectOp>(op); }

/// Whether an operation is a scalar conversion of the arith dialect.
static bool isConversion(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op);
}

static SmallVector<Value> emitConversion(OpBuilder &b, Location loc,
                                         Operation *op, Value value) {
  cpu::ConversionFlags flags;
  flags.isUnsigned = isa<arith::UIToFPOp, arith::FPToUIOp>(op);
  flags.isBitcast = isa<arith::BitcastOp>(op);
  return {cpu::convert(b, loc, value,
                       cpu::getElement(op->getOperand(0).getType()),
                       cpu::getElement(op->getResult(0).getType()), flags)};
}

/// Applies `op` to one element of each operand, in storage types.
static SmallVector<Value> emitScalar(OpBuilder &b, Location loc, Operation *op,
                                     ValueRange operands) {
  if (isConversion(op))
    return emitConversion(b, loc, op, operands[0]);
  bool moves = onlyMoves(op);
  OperationState state(loc, op->getName());
  for (auto [value, old] : llvm::zip_equal(operands, op->getOperandTypes())) {
    Type element = cpu::getElement(old);
    Value wide = moves ? value : cpu::widen(b, loc, value, element);
    if (!moves && wide.getType().isF32() && getWorkingType(op, element).isF64())
      wide = arith::ExtFOp::create(b, loc, b.getF64Type(), wide);
    state.operands.push_back(wide);
  }
  for (Type old : op->getResultTypes()) {
    Type element = cpu::getElement(old);
    state.types.push_back(moves ? cpu::getStorageType(element)
                                : getWorkingType(op, element));
  }
  state.attributes = NamedAttrList(op->getAttrDictionary());
  Operation *scalar = b.create(state);
  SmallVector<Value> results;
  for (auto [value, old] :
       llvm::zip_equal(scalar->getResults(), op->getResultTypes()))
    results.push_back(moves ? value
                            : cpu::narrow(b, loc, value, cpu::getElement(old)));
  return results;
}

/// Applies `op` to each element of its vectors; a scalar operand is used for
/// all of them.
static SmallVector<Value> emitVector(OpBuilder &b, Operation *op,
                                     ValueRange operands) {
  Location loc = op->getLoc();
  int64_t count = cast<VectorType>(op->getResult(0).getType()).getNumElements();
  SmallVector<SmallVector<Value>> scalars(count);
  for (Value operand : operands) {
    SmallVector<Value> elements(count, operand);
    if (isa<VectorType>(operand.getType()))
      elements = vector::ToElementsOp::create(b, loc, operand).getResults();
    for (auto [all, element] : llvm::zip_equal(scalars, elements))
      all.push_back(element);
  }
  SmallVector<SmallVector<Value>> made(op->getNumResults());
  for (ArrayRef<Value> all : scalars)
    for (auto [results, result] :
         llvm::zip_equal(made, emitScalar(b, loc, op, all)))
      results.push_back(result);
  return llvm::map_to_vector(llvm::zip_equal(made, op->getResultTypes()),
                             [&](auto pair) -> Value {
                               auto &[elements, type] = pair;
                               return vector::FromElementsOp::create(
                                   b, loc, cpu::getStorageType(type), elements);
                             });
}

bool cpu::isLegalElementwise(Operation *op) {
  auto isAny = [&](auto predicate) {
    auto holds = [&](Type type) { return predicate(getElement(type)); };
    return llvm::any_of(op->getOperandTypes(), holds) ||
           llvm::any_of(op->getResultTypes(), holds);
  };
  if (hasTiles(op) || isAny(isStoredAsBits))
    return false;
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return true;
  // The processor has instructions for these conversions.
  if (isa<arith::ExtFOp>(op) && op->getOperand(0).getType().isF16())
    return op->getResult(0).getType().isF32();
  if (isa<arith::TruncFOp>(op) && op->getResult(0).getType().isF16())
    return op->getOperand(0).getType().isF32();
  return !isAny(isSmallFloat);
}

namespace {
struct ConvertElementwise : ConversionPattern {
  ConvertElementwise(const cpu::TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        isa<arith::ConstantOp>(op) || op->getNumRegions() != 0)
      return rewriter.notifyMatchFailure(op, "expected arith or math");
    SmallVector<RankedTensorType> results;
    for (Type type : op->getResultTypes())
      if (auto tensor =
              dyn_cast<RankedTensorType>(getTypeConverter()->convertType(type)))
        results.push_back(tensor);
    if (isa<VectorType>(op->getResult(0).getType())) {
      rewriter.replaceOp(op, emitVector(rewriter, op, operands));
      return success();
    }
    if (results.empty()) {
      rewriter.replaceOp(op, emitScalar(rewriter, op->getLoc(), op, operands));
      return success();
    }
    if (results.size() != op->getNumResults())
      return rewriter.notifyMatchFailure(op, "expected tiles as results");
    rewriter.replaceOp(
        op, cpu::buildPerElement(
                rewriter, op->getLoc(), results, operands,
                [&](OpBuilder &b, Location loc, ValueRange elements) {
                  return emitScalar(b, loc, op, elements);
                }));
    return success();
  }
};
} // namespace

void cpu::populateElementwisePatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<ConvertElementwise>(converter, patterns.getContext());
}
