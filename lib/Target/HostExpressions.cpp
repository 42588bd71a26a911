// HostExpressions.cpp - integers of a host's function as expressions
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
  bool isProduct = kind == Kind::Multiply || kind == Kind::FloorDivide ||
                   kind == Kind::CeilDivide;
  if (isProduct && isConstant(rhs, 1))
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

std::optional<Expression> HostExpressions::get(OpFoldResult number) const {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return Expression::constant(*constant);
  return get(cast<Value>(number));
}

std::optional<std::vector<Expression>>
HostExpressions::get(ArrayRef<OpFoldResult> numbers) const {
  std::vector<Expression> expressions;
  for (OpFoldResult number : numbers) {
    std::optional<Expression> expression = get(number);
    if (!expression)
      return std::nullopt;
    expressions.push_back(std::move(*expression));
  }
  return expressions;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// What a binary operation of arith is.
static std::optional<Kind> getKind(Operation *op) {
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

bool HostExpressions::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  auto setIf = [&](std::optional<Expression> expression) {
    if (expression)
      set(result, std::move(*expression));
    return expression.has_value();
  };
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return setIf(Expression::constant(constant.getBitWidth() == 1
                                          ? constant.getZExtValue()
                                          : constant.getSExtValue()));
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return setIf(get(op->getOperand(0)));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return setIf(compute(apply.getAffineMap().getResult(0),
                         apply.getMapOperands(),
                         apply.getAffineMap().getNumDims()));
  std::optional<Kind> kind = ::getKind(op);
  if (!kind)
    return false;
  std::optional<Expression> lhs = get(op->getOperand(0));
  std::optional<Expression> rhs = get(op->getOperand(1));
  return lhs && rhs && setIf(combine(*kind, std::move(*lhs), std::move(*rhs)));
}
