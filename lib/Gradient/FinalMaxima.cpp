// FinalMaxima.cpp - loops that use the final maximum in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FinalMaxima.h"

#include "tile/Gradient/TangentBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tile;

namespace {
/// Removes the factors exp(m - m) of the body of a loop.
class UnitFactors {
public:
  void remove(Block &body) {
    for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
      visit(&op);
  }

private:
  enum class Known { zero, one };

  std::optional<Known> get(Value value) const {
    auto found = known.find(value);
    if (found == known.end())
      return std::nullopt;
    return found->second;
  }
  void set(Operation *op, std::optional<Known> value) {
    if (value)
      known[op->getResult(0)] = *value;
  }
  void visit(Operation *op);
  void visit(arith::MulFOp op);

  llvm::DenseMap<Value, Known> known;
};
} // namespace

void UnitFactors::visit(arith::MulFOp op) {
  for (unsigned i : {0, 1}) {
    std::optional<Known> factor = get(op->getOperand(i));
    if (factor == Known::zero)
      return set(op, factor);
    if (factor == Known::one) {
      op.replaceAllUsesWith(op->getOperand(1 - i));
      op.erase();
      return;
    }
  }
}

void UnitFactors::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](arith::SubFOp sub) {
        if (sub.getLhs() == sub.getRhs())
          set(op, Known::zero);
      })
      .Case<math::ExpOp, math::Exp2Op>([&](Operation *) {
        if (get(op->getOperand(0)) == Known::zero)
          set(op, Known::one);
      })
      .Case<BroadcastOp, ReshapeOp, FillOp, ExtractOp, CastOp>(
          [&](Operation *) { set(op, get(op->getOperand(0))); })
      .Case([&](arith::MulFOp mul) { visit(mul); });
}

/// Whether all elements of a value are at least zero, if those of `known` are.
static bool isNonNegative(Value value, Value known) {
  auto all = [&](ValueRange values) {
    return llvm::all_of(
        values, [&](Value operand) { return isNonNegative(operand, known); });
  };
  if (value == known)
    return true;
  if (std::optional<double> constant = getRealConstant(value))
    return *constant >= 0;
  if (std::optional<Selection> selection = getSelection(value))
    return all({selection->whereTrue, selection->whereFalse});
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(result.getOwner())
      .Case<math::ExpOp, math::Exp2Op>([](auto) { return true; })
      .Case<arith::AddFOp, arith::MulFOp, BroadcastOp, ReshapeOp, FillOp,
            CastOp>([&](Operation *op) { return all(op->getOperands()); })
      .Case([&](ReduceOp op) {
        return op.getKind() == ReduceKind::add && all(op->getOperands());
      })
      .Case([&](scf::IfOp op) {
        unsigned index = result.getResultNumber();
        return all({op.thenYield()->getOperand(index),
                    op.elseYield()->getOperand(index)});
      })
      .Default(false);
}

/// Whether a result of the loop is a sum of exponentials exp(x + s m), for each
/// element of the shift m, that can be divided by.
static bool isTotal(const RunningShift &shift, unsigned index) {
  scf::ForOp loop = shift.loop;
  const ShiftForm &form = shift.forms[index];
  return index != shift.index && form.isExponential && form.scale != 0 &&
         form.before == 0 && !form.isOpen &&
         loop.getResult(index).getType() ==
             loop.getResult(shift.index).getType() &&
         isNonNegative(loop.getInitArgs()[index], Value()) &&
         isNonNegative(loop.getYieldedValues()[index],
                       loop.getRegionIterArgs()[index]);
}

/// Whether a value is an exponential of the difference from the shift that the
/// loop carries into an iteration.
static bool isRescaling(Value value, Value shift) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<math::ExpOp, math::Exp2Op>(op))
    return false;
  auto difference = op->getOperand(0).getDefiningOp<arith::SubFOp>();
  return difference && difference.getLhs() == shift;
}

/// Returns `factor`, which has the type of the shift, in the type of a value
/// that the loop carries, as the loop repeats the exponential by which it
/// rescales this value; null if it does not.
static Value repeatLikeFactor(ValueBuilder &b, Value carried, Value shift,
                              Value factor) {
  if (carried.getType() == factor.getType())
    return factor;
  for (Operation *user : carried.getUsers()) {
    if (!isa<arith::MulFOp>(user))
      continue;
    Value repeated = user->getOperand(user->getOperand(0) == carried);
    SmallVector<Operation *> steps;
    while (isa_and_present<BroadcastOp, ReshapeOp, FillOp>(
        repeated.getDefiningOp())) {
      steps.push_back(repeated.getDefiningOp());
      repeated = steps.back()->getOperand(0);
    }
    if (!isRescaling(repeated, shift))
      continue;
    for (Operation *step : llvm::reverse(steps)) {
      IRMapping mapping;
      mapping.map(step->getOperand(0), factor);
      factor = b.clone(*step, mapping)->getResult(0);
    }
    return factor;
  }
  return {};
}

/// Returns the results with the shift m' for which the result `total`, l exp(s
/// (m' - m)), is one; nothing if a result is not known with it.
static std::optional<SmallVector<Value>>
normalize(ValueBuilder &b, const RunningShift &shift, unsigned total) {
  scf::ForOp loop = shift.loop;
  Value sum = loop.getResult(total);
  double scale = shift.forms[total].scale;
  Value inverse = b.div(b.real(sum.getType(), 1), sum);
  SmallVector<Value> results;
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    const ShiftForm &form = shift.forms[index];
    if (index == shift.index) {
      results.push_back(
          b.sub(result, b.scale(b.apply<math::LogOp>(sum), 1 / scale)));
      continue;
    }
    if (index == total) {
      results.push_back(b.real(sum.getType(), 1));
      continue;
    }
    if (form.isIndependent()) {
      results.push_back(result);
      continue;
    }
    bool isScaled = form.isExponential && form.scale == scale &&
                    form.before == 0 && !form.isOpen;
    Value factor =
        isScaled
            ? repeatLikeFactor(b, loop.getRegionIterArgs()[index],
                               loop.getRegionIterArgs()[shift.index], inverse)
            : Value();
    if (!factor)
      return std::nullopt;
    results.push_back(b.mul(result, factor));
  }
  return results;
}

/// Whether a maximum plus a logarithm is as exact as the values that it is
/// subtracted from.
static bool isExactEnough(Type type) {
  Type element = getElementType(type);
  return element.isF32() || element.isF64();
}

/// Makes the first sum of exponentials that can be one the total, if there is
/// one.
static void normalizeIfPossible(ValueBuilder &b, const RunningShift &shift,
                                FinalMaximum &maximum) {
  scf::ForOp loop = shift.loop;
  if (!isExactEnough(loop.getResult(shift.index).getType()))
    return;
  for (unsigned index = 0; index < loop.getNumResults(); ++index) {
    if (!isTotal(shift, index))
      continue;
    auto results = normalize(b, shift, index);
    if (!results)
      continue;
    maximum.results = *results;
    maximum.total = index;
    maximum.scale = shift.forms[index].scale;
    return;
  }
}

/// Returns the results of the loop with the shift to use.
static FinalMaximum createResults(ValueBuilder &b, const RunningShift &shift) {
  scf::ForOp loop = shift.loop;
  FinalMaximum maximum;
  llvm::append_range(maximum.results, loop.getResults());
  normalizeIfPossible(b, shift, maximum);
  maximum.shift = maximum.results[shift.index];
  return maximum;
}

/// Clones the loop of a shift. The clone uses `value` as the shift, and carries
/// it without a change.
static scf::ForOp cloneWith(ValueBuilder &b, const RunningShift &shift,
                            Value value) {
  scf::ForOp original = shift.loop;
  auto loop = cast<scf::ForOp>(b.clone(*original));
  Value next = loop.getYieldedValues()[shift.index];
  next.replaceAllUsesWith(value);
  loop.getRegionIterArgs()[shift.index].replaceAllUsesWith(value);
  loop.getInitArgsMutable()[shift.index].assign(value);
  UnitFactors().remove(*loop.getBody());
  return loop;
}

/// Makes all operations after `loop` use its results, and not those of
/// `original`.
static void replaceResults(scf::ForOp original, scf::ForOp loop) {
  original->replaceUsesWithIf(loop, [&](OpOperand &use) {
    Operation *user = loop->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return loop->isBeforeInBlock(user);
  });
}

SmallVector<FinalMaximum> tile::useFinalMaxima(KernelOp kernel) {
  SmallVector<FinalMaximum> maxima;
  for (const RunningShift &shift : listRunningShifts(kernel)) {
    scf::ForOp original = shift.loop;
    ValueBuilder b(original.getLoc(), original.getContext());
    b.setInsertionPointAfter(original);
    FinalMaximum maximum = createResults(b, shift);
    maximum.loop = cloneWith(b, shift, maximum.shift);
    replaceResults(original, maximum.loop);
    original->setAttr(kConstantAttr, b.getUnitAttr());
    maxima.push_back(maximum);
  }
  return maxima;
}

/// Whether an operation is the logarithm to the base of the exponentials.
static bool isLogarithm(Operation *op, double scale) {
  return (isa<math::LogOp>(op) && scale == -1) ||
         (isa<math::Log2Op>(op) && scale == -std::log(2.0));
}

/// Replaces the maximum plus the logarithm of the sum by the shift.
static void replaceLogarithms(FinalMaximum &maximum) {
  if (!maximum.total)
    return;
  auto isMaximum = [&](Value value) {
    auto result = dyn_cast<OpResult>(value);
    return result && result.getOwner() == maximum.loop &&
           maximum.results[result.getResultNumber()] == maximum.shift;
  };
  for (Operation *log : maximum.loop.getResult(*maximum.total).getUsers())
    if (isLogarithm(log, maximum.scale))
      for (Operation *sum : log->getUsers())
        if (isa<arith::AddFOp>(sum) &&
            llvm::any_of(sum->getOperands(), isMaximum))
          sum->getResult(0).replaceAllUsesWith(maximum.shift);
}

void tile::restoreResults(ArrayRef<FinalMaximum> maxima) {
  for (FinalMaximum maximum : maxima) {
    replaceLogarithms(maximum);
    maximum.loop->replaceAllUsesWith(maximum.results);
  }
}
