// Elementwise.cpp - arithmetic, comparisons, selections, conversions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include "Arithmetic.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

LogicalResult Interpreter::check(AssertOp op) {
  for (const Number &holds : get(op.getCondition()))
    if (!holds.isUnknown() && holds.integer == 0)
      return op->emitError("expected a condition that holds");
  return success();
}

/// Operations of arith and math, casts and selections, on tiles and scalars.
LogicalResult Interpreter::runElementwise(Operation *op) {
  Type type = getElement(op->getResult(0));
  SmallVector<const Numbers *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  size_t count = 1;
  for (const Numbers *operand : operands)
    count = std::max(count, operand->size());
  Numbers result;
  for (size_t n = 0; n < count; ++n) {
    SmallVector<Number> x;
    for (const Numbers *operand : operands)
      x.push_back((*operand)[operand->size() == 1 ? 0 : n]);
    if (isa<SelectOp, arith::SelectOp>(op)) {
      result.push_back(x[0].isUnknown() ? Number::unknown()
                       : x[0].integer   ? x[1]
                                        : x[2]);
      continue;
    }
    if (llvm::any_of(x, [](const Number &y) { return y.isUnknown(); })) {
      result.push_back(Number::unknown());
      continue;
    }
    if (auto convert = dyn_cast<CastOp>(op)) {
      result.push_back(
          castElement(convert, x[0], getElement(convert.getSource()), type));
      continue;
    }
    if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
      result.push_back(compareFloats(compare.getPredicate(), x[0], x[1]));
      continue;
    }
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      Type of = getElement(compare.getLhs());
      unsigned bits = getIntegerBits(of);
      result.push_back(Number::ofInteger(arith::applyCmpPredicate(
          compare.getPredicate(), APInt(bits, getLowBits(x[0].integer, of)),
          APInt(bits, getLowBits(x[1].integer, of)))));
      continue;
    }
    if (std::optional<Number> answer =
            classify(op, x[0], getElement(op->getOperand(0)))) {
      result.push_back(*answer);
      continue;
    }
    if (!isInteger(type)) {
      std::optional<Number> number = applyFloat(op, x, type);
      if (!number)
        return op->emitError("expected an operation that can be evaluated");
      result.push_back(*number);
      continue;
    }
    if (x.size() > 2)
      return op->emitError("expected an operation that can be evaluated");
    std::optional<int64_t> number =
        x.size() == 1 ? applyInteger(op, x[0].integer, type)
                      : applyInteger(op, x[0].integer, x[1].integer, type);
    if (!number && x.size() == 1)
      return op->emitError("expected an operation that can be evaluated");
    result.push_back(number ? Number::ofInteger(wrapInteger(*number, type))
                            : Number::unknown());
  }
  set(op->getResult(0), std::move(result));
  return success();
}
