// Elementwise.cpp - arithmetic, comparisons, selections, conversions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Arithmetic.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

LogicalResult Interpreter::check(AssertOp op) {
  for (const Element &holds : get(op.getCondition()))
    if (!holds.isUnknown() && holds.integer == 0)
      return op->emitError("expected a condition that holds");
  return success();
}

static Element compareIntegers(arith::CmpIOp op, const Element &a,
                               const Element &b) {
  Type type = getElement(op.getLhs());
  unsigned bits = getIntegerBits(type);
  return Element::ofInteger(arith::applyCmpPredicate(
      op.getPredicate(), APInt(bits, getLowBits(a.integer, type)),
      APInt(bits, getLowBits(b.integer, type))));
}

/// Computes an operation of arith or math with an integer result; nothing if it
/// cannot be evaluated.
static std::optional<Element> computeInteger(Operation *op, ArrayRef<Element> x,
                                             Type type) {
  if (isa<arith::IndexCastOp>(op))
    return Element::ofInteger(wrapInteger(x[0].integer, type));
  if (x.size() > 2)
    return std::nullopt;
  std::optional<int64_t> result =
      x.size() == 1 ? applyInteger(op, x[0].integer, type)
                    : applyInteger(op, x[0].integer, x[1].integer, type);
  if (result)
    return Element::ofInteger(wrapInteger(*result, type));
  return x.size() == 1 ? std::nullopt : std::optional(Element::unknown());
}

/// Computes one element of the result; nothing if it cannot be evaluated.
static std::optional<Element> computeElement(Operation *op, ArrayRef<Element> x,
                                             Type type) {
  if (isa<SelectOp, arith::SelectOp>(op))
    return x[0].isUnknown() ? Element::unknown() : x[0].integer ? x[1] : x[2];
  if (llvm::any_of(x, [](const Element &y) { return y.isUnknown(); }))
    return Element::unknown();
  if (auto convert = dyn_cast<CastOp>(op))
    return castElement(convert, x[0], getElement(convert.getSource()), type);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return applyFlags(op, x, compareFloats(compare.getPredicate(), x[0], x[1]),
                      type);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compareIntegers(compare, x[0], x[1]);
  if (std::optional<Element> answer =
          classify(op, x[0], getElement(op->getOperand(0))))
    return answer;
  if (isInteger(type))
    return computeInteger(op, x, type);
  std::optional<Element> result = applyFloat(op, x, type);
  return result ? applyFlags(op, x, *result, type) : result;
}

/// Evaluates operations of arith and math, casts and selections, on tiles and
/// scalars.
LogicalResult Interpreter::runElementwise(Operation *op) {
  Type type = getElement(op->getResult(0));
  SmallVector<const Elements *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  size_t count = 1;
  for (const Elements *operand : operands)
    count = std::max(count, operand->size());
  Elements result;
  SmallVector<Element> x(operands.size());
  for (size_t n = 0; n < count; ++n) {
    for (auto [input, operand] : llvm::zip(x, operands))
      input = (*operand)[operand->size() == 1 ? 0 : n];
    std::optional<Element> element = computeElement(op, x, type);
    if (!element)
      return op->emitError("expected an operation that can be evaluated");
    result.push_back(*element);
  }
  set(op->getResult(0), std::move(result));
  return success();
}
