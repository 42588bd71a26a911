// ScoreForm.cpp - operations on scores before a softmax
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several operations compute a mask from indices of loops. The match follows an
// element of the mask through the bodies of these operations, and expresses
// their loops by the dimensions of the scores.

#include "ScoreForm.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
/// A value in the body of a generic, or a constant.
struct Element {
  Value value;
  linalg::GenericOp op;
  /// The indices of the loops of `op`, as expressions of the loops of the
  /// operation at which the match started.
  SmallVector<AffineExpr> loops;
  /// The value of a tensor of which all elements are equal, instead of `value`.
  Attribute splat;
};
} // namespace

/// Follows an argument of a body to the value that its producer yields, and
/// repeats this as long as the value is an argument, too.
static Element enter(Element element) {
  while (auto argument = dyn_cast_if_present<BlockArgument>(element.value)) {
    if (!element.op || argument.getOwner() != element.op.getBody())
      return element;
    OpOperand *operand = element.op.getMatchingOpOperand(argument);
    OpFoldResult splat = getSplat(operand->get());
    if (auto constant = dyn_cast_if_present<Attribute>(splat))
      return {{}, {}, {}, constant};
    if (auto scalar = dyn_cast_if_present<Value>(splat))
      return {scalar, {}, {}, {}};
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    if (!producer || !isElementwise(producer))
      return element;
    AffineMap read = element.op.getMatchingIndexingMap(operand);
    auto result = cast<OpResult>(operand->get());
    AffineMap made = producer.getIndexingMapMatchingResult(result);
    SmallVector<AffineExpr> loops(producer.getNumLoops());
    for (unsigned dim = 0; dim < made.getNumResults(); ++dim)
      loops[*getLoop(made, dim)] =
          read.getResult(dim).replaceDims(element.loops);
    element = {producer.getBody()->getTerminator()->getOperand(
                   result.getResultNumber()),
               producer,
               loops,
               {}};
  }
  return element;
}

/// Returns another value of the same body.
static Element follow(const Element &element, Value value) {
  return enter({value, element.op, element.loops, {}});
}

static bool isFloat(const Element &element, bool (*holds)(const APFloat &)) {
  APFloat constant(0.0);
  if (auto splat = dyn_cast_if_present<FloatAttr>(element.splat))
    return holds(splat.getValue());
  return element.value &&
         matchPattern(element.value, m_ConstantFloat(&constant)) &&
         holds(constant);
}

static bool isZero(const Element &element) {
  return isFloat(element, [](const APFloat &value) { return value.isZero(); });
}

static bool isLowest(const Element &element) {
  return isFloat(element, [](const APFloat &value) {
    return value.isInfinity() && value.isNegative();
  });
}

static bool isTrue(const Element &element) {
  APInt constant;
  if (auto splat = dyn_cast_if_present<IntegerAttr>(element.splat))
    return splat.getValue().isOne();
  return element.value &&
         matchPattern(element.value, m_ConstantInt(&constant)) &&
         constant.isOne();
}

/// Maximum number of operations that compute the index of a mask. An operation
/// that is used twice counts twice.
static constexpr unsigned kMostSteps = 64;

/// Returns an integer as an expression of the scores' dimensions; null if it is
/// not such an expression.
static AffineExpr getIntegerExpression(const Element &element,
                                       MLIRContext *context, unsigned &steps) {
  if (steps == 0)
    return {};
  --steps;
  APInt constant;
  if (auto splat = dyn_cast_if_present<IntegerAttr>(element.splat))
    return getAffineConstantExpr(splat.getInt(), context);
  if (!element.value)
    return {};
  if (matchPattern(element.value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  Operation *op = element.value.getDefiningOp();
  if (auto index = dyn_cast_if_present<linalg::IndexOp>(op))
    return element.loops[index.getDim()];
  if (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(op))
    return getIntegerExpression(follow(element, op->getOperand(0)), context,
                                steps);
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return {};
  AffineExpr lhs =
      getIntegerExpression(follow(element, op->getOperand(0)), context, steps);
  AffineExpr rhs =
      getIntegerExpression(follow(element, op->getOperand(1)), context, steps);
  if (!lhs || !rhs)
    return {};
  return isa<arith::AddIOp>(op) ? lhs + rhs : lhs - rhs;
}

/// Returns an expression that is at most zero where a condition holds; null if
/// none is known.
static AffineExpr getExcess(const Element &element, MLIRContext *context) {
  Operation *op = element.value ? element.value.getDefiningOp() : nullptr;
  if (isa_and_present<arith::AndIOp>(op)) {
    Element lhs = follow(element, op->getOperand(0));
    Element rhs = follow(element, op->getOperand(1));
    return isTrue(lhs)   ? getExcess(rhs, context)
           : isTrue(rhs) ? getExcess(lhs, context)
                         : AffineExpr();
  }
  auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
  if (!compare)
    return {};
  unsigned steps = kMostSteps;
  AffineExpr lhs =
      getIntegerExpression(follow(element, compare.getLhs()), context, steps);
  AffineExpr rhs =
      getIntegerExpression(follow(element, compare.getRhs()), context, steps);
  if (!lhs || !rhs)
    return {};
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sle:
    return lhs - rhs;
  case arith::CmpIPredicate::slt:
    return lhs - rhs + 1;
  case arith::CmpIPredicate::sge:
    return rhs - lhs;
  case arith::CmpIPredicate::sgt:
    return rhs - lhs + 1;
  default:
    return {};
  }
}

/// Returns the mask that keeps scores where `excess` is at most zero, if
/// `excess` has the form `key - row - offset`.
static std::optional<CausalMask> getMask(Value scores, AffineExpr excess) {
  auto type = cast<RankedTensorType>(scores.getType());
  SmallVector<int64_t> factors;
  if (!excess ||
      failed(getFlattenedAffineExpr(excess, type.getRank(), 0, &factors)))
    return std::nullopt;
  CausalMask mask{scores, 0, 0, -factors.back()};
  int64_t keys = 0, rows = 0;
  for (auto [dim, factor] : llvm::enumerate(ArrayRef(factors).drop_back())) {
    if (factor == 0)
      continue;
    if (factor != 1 && factor != -1)
      return std::nullopt;
    (factor == 1 ? mask.key : mask.row) = unsigned(dim);
    ++(factor == 1 ? keys : rows);
  }
  if (keys != 1 || rows != 1)
    return std::nullopt;
  return mask;
}

/// Returns the expression that is at most zero where `choice` selects the kept
/// value instead of minus infinity; null if `choice` has another form.
static AffineExpr getExcessOfChoice(const Element &choice,
                                    bool (*isKept)(const Element &),
                                    MLIRContext *context) {
  auto select = choice.value ? choice.value.getDefiningOp<arith::SelectOp>()
                             : arith::SelectOp();
  if (!select)
    return {};
  Element condition = follow(choice, select.getCondition());
  Element ifTrue = follow(choice, select.getTrueValue());
  Element ifFalse = follow(choice, select.getFalseValue());
  AffineExpr excess = getExcess(condition, context);
  if (!excess)
    return {};
  if (isKept(ifTrue) && isLowest(ifFalse))
    return excess;
  if (isLowest(ifTrue) && isKept(ifFalse))
    return 1 - excess;
  return {};
}

/// Returns the elementwise generic that computes `scores`, or null if another
/// operation computes them.
static linalg::GenericOp getElementwise(Value scores) {
  auto op = scores.getDefiningOp<linalg::GenericOp>();
  if (op && isElementwise(op) && op.getNumDpsInits() == 1 &&
      op.getIndexingMapsArray().back().isIdentity())
    return op;
  return {};
}

/// Returns the tensor whose element at the same index is `value`, an argument
/// of the body; null if there is none.
static Value getScores(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody())
    return {};
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!op.getMatchingIndexingMap(operand).isIdentity())
    return {};
  return operand->get();
}

std::optional<CausalMask> fromlinalg::matchCausalMask(Value scores) {
  linalg::GenericOp op = getElementwise(scores);
  if (!op)
    return std::nullopt;
  MLIRContext *context = op.getContext();
  Element made{op.getBody()->getTerminator()->getOperand(0), op, {}, {}};
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    made.loops.push_back(getAffineDimExpr(loop, context));
  if (auto sum = made.value.getDefiningOp<arith::AddFOp>()) {
    for (unsigned side : {0, 1})
      if (Value kept = getScores(op, sum->getOperand(side)))
        if (AffineExpr excess = getExcessOfChoice(
                follow(made, sum->getOperand(1 - side)), isZero, context))
          return getMask(kept, excess);
    return std::nullopt;
  }
  auto select = made.value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  for (Value side : {select.getTrueValue(), select.getFalseValue()})
    if (Value kept = getScores(op, side)) {
      auto isAnything = [](const Element &) { return true; };
      return getMask(kept, getExcessOfChoice(made, isAnything, context));
    }
  return std::nullopt;
}

std::optional<ScaledScores> fromlinalg::matchScaledScores(Value scores) {
  linalg::GenericOp op = getElementwise(scores);
  if (!op)
    return std::nullopt;
  auto product = op.getBody()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<arith::MulFOp>();
  APFloat factor(0.0);
  for (unsigned side : {0, 1})
    if (product &&
        matchPattern(product->getOperand(1 - side), m_ConstantFloat(&factor)))
      if (Value scaled = getScores(op, product->getOperand(side)))
        return ScaledScores{scaled, factor};
  return std::nullopt;
}
