// ShiftedValues.cpp - values that depend on a shift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShiftedValues.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Returns the form that two values have which are added or of which one is
/// chosen. A zero has each exponential form.
static std::optional<ShiftForm> mergeForms(const ShiftForm &a,
                                           const ShiftForm &b) {
  if (a.isOpen)
    return b;
  if (b.isOpen || a == b)
    return a;
  return std::nullopt;
}

bool ShiftedValues::isZero(Value value) const {
  return getRealConstant(value) == 0.0;
}

ShiftedValues::Result ShiftedValues::merge(Value a, Value b) const {
  ShiftForm left = get(a), right = get(b);
  if (left.isExponential && isZero(b))
    return left;
  if (right.isExponential && isZero(a))
    return right;
  return mergeForms(left, right);
}

/// Returns the form of a + sign * b.
ShiftedValues::Result ShiftedValues::add(Value a, Value b, double sign) const {
  ShiftForm left = get(a), right = get(b);
  if (left.isExponential || right.isExponential || left.isOpen || right.isOpen)
    return merge(a, b);
  return ShiftForm{left.scale + sign * right.scale,
                   left.before + sign * right.before};
}

/// Returns the form of a * factor, or of a / factor, for a constant.
ShiftedValues::Result ShiftedValues::scaled(Value a, Value factor,
                                            bool divides) const {
  std::optional<double> constant = getRealConstant(factor);
  if (!constant || (divides && *constant == 0))
    return std::nullopt;
  double times = divides ? 1 / *constant : *constant;
  ShiftForm form = get(a);
  return ShiftForm{form.scale * times, form.before * times};
}

/// Returns the form of a * b, or, with a sign of -1, of a / b.
ShiftedValues::Result ShiftedValues::multiply(Value a, Value b,
                                              double sign) const {
  ShiftForm left = get(a), right = get(b);
  auto isFactor = [](const ShiftForm &form) {
    return form.isExponential || form.isIndependent() || form.isOpen;
  };
  if (isFactor(left) && isFactor(right)) {
    ShiftForm form{left.scale + sign * right.scale,
                   left.before + sign * right.before, true};
    form.isOpen = left.isOpen || right.isOpen;
    return form;
  }
  if (right.isIndependent())
    return scaled(a, b, /*divides=*/sign < 0);
  if (left.isIndependent() && sign > 0)
    return scaled(b, a, /*divides=*/false);
  return std::nullopt;
}

/// Returns the form of exp(a * logarithm).
ShiftedValues::Result ShiftedValues::exponential(Value a,
                                                 double logarithm) const {
  ShiftForm form = get(a);
  if (form.isOpen || (form.isExponential && !form.isIndependent()))
    return std::nullopt;
  return ShiftForm{form.scale * logarithm, form.before * logarithm, true};
}

/// Returns the form of log(a) / logarithm.
ShiftedValues::Result ShiftedValues::logarithm(Value a,
                                               double logarithm) const {
  ShiftForm form = get(a);
  if (form.isOpen || !form.isExponential)
    return std::nullopt;
  return ShiftForm{form.scale / logarithm, form.before / logarithm};
}

ShiftedValues::Result ShiftedValues::compute(Operation *op) const {
  auto operand = [&](unsigned index) { return op->getOperand(index); };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<ReshapeOp, BroadcastOp, FillOp, ExtractOp, TransposeOp, CastOp,
            arith::ExtFOp, arith::TruncFOp>(
          [&](Operation *) { return get(operand(0)); })
      .Case<arith::AddFOp>(
          [&](Operation *) { return add(operand(0), operand(1), 1); })
      .Case<arith::SubFOp>(
          [&](Operation *) { return add(operand(0), operand(1), -1); })
      .Case<arith::MulFOp>(
          [&](Operation *) { return multiply(operand(0), operand(1), 1); })
      .Case<arith::DivFOp>(
          [&](Operation *) { return multiply(operand(0), operand(1), -1); })
      .Case<math::ExpOp>(
          [&](Operation *) { return exponential(operand(0), 1); })
      .Case<math::Exp2Op>(
          [&](Operation *) { return exponential(operand(0), std::log(2.0)); })
      .Case<math::LogOp>([&](Operation *) { return logarithm(operand(0), 1); })
      .Case<math::Log2Op>(
          [&](Operation *) { return logarithm(operand(0), std::log(2.0)); })
      .Case<ReduceOp>([&](ReduceOp reduce) -> Result {
        bool isSum = reduce.getKind() == ReduceKind::add;
        ShiftForm form = get(operand(0));
        return isSum && (form.isExponential || form.isOpen) ? Result(form)
                                                            : std::nullopt;
      })
      .Case<MatmulOp>([&](MatmulOp matmul) -> Result {
        Result form = multiply(matmul.getLhs(), matmul.getRhs(), 1);
        bool isAlone = isZero(matmul.getAcc());
        if (!form || isAlone)
          return form;
        return mergeForms(*form, get(matmul.getAcc()));
      })
      .Case<arith::SelectOp>(
          [&](Operation *) { return merge(operand(1), operand(2)); })
      .Default([](Operation *) { return std::nullopt; });
}

bool ShiftedValues::visit(Operation *op) {
  if (loop && op == loop)
    return visitLoop();
  if (llvm::is_contained(op->getResults(), shift))
    return true;
  for (Value result : op->getResults())
    forms.erase(result);
  if (llvm::all_of(op->getOperands(),
                   [&](Value value) { return get(value).isIndependent(); }))
    return true;
  if (op->getNumResults() != 1)
    return false;
  Result form = compute(op);
  if (form && !form->isIndependent())
    forms[op->getResult(0)] = *form;
  return form.has_value();
}

//===----------------------------------------------------------------------===//
// The loop of a shift
//===----------------------------------------------------------------------===//

/// Visits the operations of one iteration.
bool ShiftedValues::visitIteration() {
  Value next = loop.getYieldedValues()[carried];
  forms[loop.getRegionIterArgs()[carried]] = {0, 1};
  return !loop.getBody()
              ->walk<WalkOrder::PreOrder>([&](Operation *op) {
                if (op == loop.getBody()->getTerminator())
                  return WalkResult::advance();
                if (op == next.getDefiningOp()) {
                  // The other operand is the maximum of this iteration.
                  bool isKnown = llvm::all_of(op->getOperands(), [&](Value a) {
                    return a == loop.getRegionIterArgs()[carried] ||
                           get(a).isIndependent();
                  });
                  forms[next] = {1};
                  return isKnown ? WalkResult::advance()
                                 : WalkResult::interrupt();
                }
                return visit(op) ? WalkResult::advance()
                                 : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Passes the forms of carried values on to the next iteration. Returns whether
/// this determined one; nothing if a value changes its form.
std::optional<bool> ShiftedValues::passOn() {
  bool isChanged = false;
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    ShiftForm next = get(loop.getYieldedValues()[index]);
    if (index == carried || next.isOpen)
      continue;
    if (next.before != 0)
      return std::nullopt;
    std::swap(next.scale, next.before);
    ShiftForm &form = forms[argument];
    if (form.isOpen)
      isChanged = true;
    else if (form != next)
      return std::nullopt;
    form = next;
  }
  return isChanged;
}

/// Finds forms of the carried values that each iteration keeps. A value that is
/// zero before the loop may have any exponential form; others must not depend
/// on the shift.
bool ShiftedValues::visitLoop() {
  for (auto [argument, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
    forms[argument].isOpen = isZero(init);
  for (bool isChanged = true; isChanged;) {
    if (!visitIteration())
      return false;
    std::optional<bool> passed = passOn();
    if (!passed)
      return false;
    isChanged = *passed;
  }
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    ShiftForm form = get(argument);
    if (form.isOpen)
      return false;
    std::swap(form.scale, form.before);
    forms[loop.getResult(index)] = form;
  }
  return true;
}
