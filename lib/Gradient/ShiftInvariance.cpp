// ShiftInvariance.cpp - maxima that no output depends on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShiftInvariance.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tile;

namespace {
/// How a value depends on the shift m: as v + scale * m, or, if
/// `isExponential`, as v * exp(scale * m). Without a dependence the scale is
/// zero, and both forms hold.
struct Form {
  double scale = 0;
  bool isExponential = false;

  bool isIndependent() const { return scale == 0; }
};

/// Follows the values that depend on a shift.
class ShiftedValues {
public:
  explicit ShiftedValues(Value shift) { forms[shift] = Form{1, false}; }

  /// Returns false if a value has neither form, or an operation uses one that
  /// is not known to.
  bool visit(Operation *op);

private:
  using Result = std::optional<Form>;

  Form get(Value value) const { return forms.lookup(value); }
  Result compute(Operation *op) const;
  Result merge(Value a, Value b) const;
  Result add(Value a, Value b, double sign) const;
  Result multiply(Value a, Value b, double sign) const;
  Result scaled(Value a, Value factor, bool divides) const;
  Result exponential(Value a, double logarithm) const;

  llvm::DenseMap<Value, Form> forms;
};
} // namespace

/// Returns the form that two values have, which a constant zero has, too, as a
/// factor.
ShiftedValues::Result ShiftedValues::merge(Value a, Value b) const {
  Form left = get(a), right = get(b);
  if (left.isExponential && getRealConstant(b) == 0.0)
    return left;
  if (right.isExponential && getRealConstant(a) == 0.0)
    return right;
  bool isSame =
      left.isExponential == right.isExponential && left.scale == right.scale;
  return isSame ? Result(left) : std::nullopt;
}

/// Returns the form of a + sign * b.
ShiftedValues::Result ShiftedValues::add(Value a, Value b, double sign) const {
  Form left = get(a), right = get(b);
  if (left.isExponential || right.isExponential)
    return merge(a, b);
  return Form{left.scale + sign * right.scale, false};
}

/// Returns the form of a * factor, or of a / factor, for a constant.
ShiftedValues::Result ShiftedValues::scaled(Value a, Value factor,
                                            bool divides) const {
  std::optional<double> constant = getRealConstant(factor);
  if (!constant || (divides && *constant == 0))
    return std::nullopt;
  double scale = get(a).scale;
  return Form{divides ? scale / *constant : scale * *constant, false};
}

/// Returns the form of a * b, or, with a sign of -1, of a / b.
ShiftedValues::Result ShiftedValues::multiply(Value a, Value b,
                                              double sign) const {
  Form left = get(a), right = get(b);
  auto isFactor = [](const Form &form) {
    return form.isExponential || form.isIndependent();
  };
  if (isFactor(left) && isFactor(right))
    return Form{left.scale + sign * right.scale, true};
  if (right.isIndependent())
    return scaled(a, b, /*divides=*/sign < 0);
  if (left.isIndependent() && sign > 0)
    return scaled(b, a, /*divides=*/false);
  return std::nullopt;
}

ShiftedValues::Result ShiftedValues::exponential(Value a,
                                                 double logarithm) const {
  Form form = get(a);
  if (form.isExponential && !form.isIndependent())
    return std::nullopt;
  return Form{form.scale * logarithm, true};
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
      .Case<math::LogOp>([&](Operation *) -> Result {
        Form form = get(operand(0));
        if (!form.isExponential)
          return std::nullopt;
        return Form{form.scale, false};
      })
      .Case<ReduceOp>([&](ReduceOp reduce) -> Result {
        bool isSum = reduce.getKind() == ReduceKind::add;
        Form form = get(operand(0));
        return isSum && form.isExponential ? Result(form) : std::nullopt;
      })
      .Case<MatmulOp>([&](MatmulOp matmul) -> Result {
        Result form = multiply(matmul.getLhs(), matmul.getRhs(), 1);
        bool isPlain = form && getRealConstant(matmul.getAcc()) == 0.0;
        return isPlain ? form : std::nullopt;
      })
      .Case<arith::SelectOp>(
          [&](Operation *) { return merge(operand(1), operand(2)); })
      .Default([](Operation *) { return std::nullopt; });
}

bool ShiftedValues::visit(Operation *op) {
  auto isShifted = [&](Value value) { return forms.count(value) > 0; };
  if (llvm::none_of(op->getOperands(), isShifted))
    return true;
  auto isIndependent = [&](Value value) { return get(value).isIndependent(); };
  if (auto store = dyn_cast<StoreOp>(op))
    return llvm::all_of(op->getOperands(), isIndependent);
  if (op->getNumResults() != 1)
    return false;
  Result form = compute(op);
  if (form)
    forms[op->getResult(0)] = *form;
  return form.has_value();
}

/// Whether every stored value is independent of a shift.
static bool isInvariant(KernelOp kernel, Value shift) {
  ShiftedValues values(shift);
  return !kernel
              ->walk<WalkOrder::PreOrder>([&](Operation *op) {
                return values.visit(op) ? WalkResult::advance()
                                        : WalkResult::interrupt();
              })
              .wasInterrupted();
}

SmallVector<Value> tile::listShifts(KernelOp kernel) {
  SmallVector<Value> shifts;
  kernel.walk([&](ReduceOp op) {
    bool isExtreme =
        op.getKind() == ReduceKind::max || op.getKind() == ReduceKind::min;
    if (isExtreme && isInvariant(kernel, op.getResult(0)))
      shifts.push_back(op.getResult(0));
  });
  return shifts;
}
