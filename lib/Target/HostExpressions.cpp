// HostExpressions.cpp - integers of a host function as expressions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostExpressions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using runtime::Expression;
using Kind = Expression::Kind;

static bool isConstant(const Expression &expression, int64_t value) {
  return expression.kind == Kind::Constant && expression.value == value;
}

Expression tile::combine(Kind kind, Expression lhs, Expression rhs) {
  if (kind == Kind::Add && isConstant(lhs, 0))
    return rhs;
  if ((kind == Kind::Add || kind == Kind::Subtract) && isConstant(rhs, 0))
    return lhs;
  if (kind == Kind::Multiply && isConstant(lhs, 1))
    return rhs;
  bool isMatmul = kind == Kind::Multiply || kind == Kind::FloorDivide ||
                  kind == Kind::CeilDivide;
  if (isMatmul && isConstant(rhs, 1))
    return lhs;
  bool isKnown = lhs.kind == Kind::Constant && rhs.kind == Kind::Constant;
  Expression whole = Expression::binary(kind, std::move(lhs), std::move(rhs));
  if (isKnown)
    if (runtime::Result<int64_t> value = evaluate(whole, {}))
      return Expression::constant(*value);
  return whole;
}

std::optional<Expression> HostExpressions::get(Value value) const {
  auto it = values.find(value);
  if (it == values.end())
    return std::nullopt;
  return it->second;
}

std::optional<Expression> HostExpressions::get(OpFoldResult size) const {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return Expression::constant(*constant);
  return get(cast<Value>(size));
}

std::optional<std::vector<Expression>>
HostExpressions::get(ArrayRef<OpFoldResult> sizes) const {
  std::vector<Expression> expressions;
  for (OpFoldResult size : sizes) {
    std::optional<Expression> expression = get(size);
    if (!expression)
      return std::nullopt;
    expressions.push_back(std::move(*expression));
  }
  return expressions;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether the value is known not to be negative.
static bool isNotNegative(const Expression &expression) {
  switch (expression.kind) {
  case Kind::Constant:
    return expression.value >= 0;
  case Kind::Size:
  case Kind::Equal:
  case Kind::Less:
  case Kind::AtMost:
    return true;
  case Kind::Stride:
  case Kind::Scalar:
  case Kind::Subtract:
    return false;
  default:
    return llvm::all_of(expression.operands, isNotNegative);
  }
}

static std::optional<Kind> getSignedKind(Operation *op) {
  using Result = std::optional<Kind>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([](auto) { return Kind::Add; })
      .Case<arith::SubIOp>([](auto) { return Kind::Subtract; })
      .Case<arith::MulIOp>([](auto) { return Kind::Multiply; })
      .Case<arith::FloorDivSIOp>([](auto) { return Kind::FloorDivide; })
      .Case<arith::CeilDivSIOp>([](auto) { return Kind::CeilDivide; })
      .Case<arith::MinSIOp>([](auto) { return Kind::Minimum; })
      .Case<arith::MaxSIOp>([](auto) { return Kind::Maximum; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Returns the kind of an operation on operands that are not negative.
static std::optional<Kind> getUnsignedKind(Operation *op) {
  using Result = std::optional<Kind>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [](auto) { return Kind::FloorDivide; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return Kind::Modulo; })
      .Case<arith::CeilDivUIOp>([](auto) { return Kind::CeilDivide; })
      .Case<arith::MinUIOp>([](auto) { return Kind::Minimum; })
      .Case<arith::MaxUIOp>([](auto) { return Kind::Maximum; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Returns the kind that combines two conditions, each 1 or 0.
static std::optional<Kind> getLogicalKind(Operation *op) {
  if (isa<arith::AndIOp>(op))
    return Kind::Multiply;
  if (isa<arith::OrIOp>(op))
    return Kind::Maximum;
  return std::nullopt;
}

static Expression negate(Expression condition) {
  return combine(Kind::Equal, std::move(condition), Expression::constant(0));
}

static std::optional<Expression> compare(arith::CmpIPredicate predicate,
                                         Expression lhs, Expression rhs) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return combine(Kind::Equal, std::move(lhs), std::move(rhs));
  case Predicate::ne:
    return negate(combine(Kind::Equal, std::move(lhs), std::move(rhs)));
  case Predicate::slt:
    return combine(Kind::Less, std::move(lhs), std::move(rhs));
  case Predicate::sle:
    return combine(Kind::AtMost, std::move(lhs), std::move(rhs));
  case Predicate::sgt:
    return combine(Kind::Less, std::move(rhs), std::move(lhs));
  case Predicate::sge:
    return combine(Kind::AtMost, std::move(rhs), std::move(lhs));
  default:
    break;
  }
  if (!isNotNegative(rhs) && !isNotNegative(lhs))
    return std::nullopt;
  bool isLess = predicate == Predicate::ult || predicate == Predicate::ule;
  bool isStrict = predicate == Predicate::ult || predicate == Predicate::ugt;
  if (!isLess)
    std::swap(lhs, rhs);
  // Read as unsigned, a negative value is larger than any other.
  Expression holds = combine(isStrict ? Kind::Less : Kind::AtMost, lhs, rhs);
  if (isNotNegative(lhs) && isNotNegative(rhs))
    return holds;
  if (isNotNegative(rhs))
    return combine(Kind::Multiply,
                   combine(Kind::AtMost, Expression::constant(0), lhs), holds);
  return combine(Kind::Maximum,
                 combine(Kind::Less, rhs, Expression::constant(0)), holds);
}

/// Returns the expression for the result of `op`, a conversion of `operand`;
/// nothing if there is none.
static std::optional<Expression> convert(Operation *op, Expression operand) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  bool isCondition = from.isInteger(1);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) &&
      (isCondition || isNotNegative(operand)))
    return operand;
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return isCondition ? combine(Kind::Subtract, Expression::constant(0),
                                 std::move(operand))
                       : std::move(operand);
  if (isa<arith::TruncIOp>(op) && to.isInteger(1))
    return combine(Kind::Modulo, std::move(operand), Expression::constant(2));
  return std::nullopt;
}

static Kind getKind(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Mul:
    return Kind::Multiply;
  case AffineExprKind::Mod:
    return Kind::Modulo;
  case AffineExprKind::FloorDiv:
    return Kind::FloorDivide;
  case AffineExprKind::CeilDiv:
    return Kind::CeilDivide;
  default:
    return Kind::Add;
  }
}

std::optional<Expression> HostExpressions::compute(AffineExpr expr,
                                                   ValueRange operands,
                                                   unsigned numDims) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Expression::constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Expression> lhs = compute(binary.getLHS(), operands, numDims);
  std::optional<Expression> rhs = compute(binary.getRHS(), operands, numDims);
  if (!lhs || !rhs)
    return std::nullopt;
  return combine(::getKind(binary.getKind()), std::move(*lhs), std::move(*rhs));
}

/// Limits on the number of nodes and the depth of an expression. The text in
/// the metadata repeats an expression that is used twice.
static constexpr int64_t kMostNodes = 1000;
static constexpr int64_t kMostDepth = 60;

static int64_t countNodes(const Expression &expression) {
  int64_t nodes = 1;
  for (const Expression &operand : expression.operands)
    nodes += countNodes(operand);
  return nodes;
}

static int64_t getDepth(const Expression &expression) {
  int64_t depth = 0;
  for (const Expression &operand : expression.operands)
    depth = std::max(depth, getDepth(operand));
  return depth + 1;
}

std::optional<Expression> HostExpressions::computeBinary(Operation *op) const {
  std::optional<Expression> lhs = get(op->getOperand(0));
  std::optional<Expression> rhs = get(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  bool isCondition = op->getOperand(0).getType().isInteger(1);
  if (auto comparison = dyn_cast<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = comparison.getPredicate();
    if (isCondition && predicate != arith::CmpIPredicate::eq &&
        predicate != arith::CmpIPredicate::ne)
      return std::nullopt;
    return compare(predicate, std::move(*lhs), std::move(*rhs));
  }
  if (isCondition && isa<arith::XOrIOp>(op))
    return negate(combine(Kind::Equal, std::move(*lhs), std::move(*rhs)));
  std::optional<Kind> kind =
      isCondition ? getLogicalKind(op) : getSignedKind(op);
  if (!kind && isNotNegative(*lhs) && isNotNegative(*rhs))
    kind = getUnsignedKind(op);
  if (!kind)
    return std::nullopt;
  return combine(*kind, std::move(*lhs), std::move(*rhs));
}

/// Returns `otherwise + condition * (chosen - otherwise)`, the value of a
/// selection.
std::optional<Expression>
HostExpressions::computeChoice(arith::SelectOp op) const {
  std::optional<Expression> condition = get(op.getCondition());
  std::optional<Expression> chosen = get(op.getTrueValue());
  std::optional<Expression> otherwise = get(op.getFalseValue());
  if (!condition || !chosen || !otherwise)
    return std::nullopt;
  return combine(
      Kind::Add, *otherwise,
      combine(Kind::Multiply, std::move(*condition),
              combine(Kind::Subtract, std::move(*chosen), *otherwise)));
}

std::optional<Expression> HostExpressions::compute(Operation *op) const {
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return Expression::constant(constant.getBitWidth() == 1
                                    ? constant.getZExtValue()
                                    : constant.getSExtValue());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return compute(apply.getAffineMap().getResult(0), apply.getMapOperands(),
                   apply.getAffineMap().getNumDims());
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return computeChoice(choice);
  if (!isa_and_present<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  if (op->getNumOperands() == 2)
    return computeBinary(op);
  std::optional<Expression> operand =
      op->getNumOperands() == 1 ? get(op->getOperand(0)) : std::nullopt;
  return operand ? convert(op, std::move(*operand)) : std::nullopt;
}

bool HostExpressions::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  std::optional<Expression> expression = compute(op);
  if (!expression || countNodes(*expression) > kMostNodes ||
      getDepth(*expression) > kMostDepth)
    return false;
  set(op->getResult(0), std::move(*expression));
  return true;
}
