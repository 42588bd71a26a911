// FinalMaxima.cpp - loops that use the final maximum in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FinalMaxima.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// Clones the loop of a shift after it. The clone carries the final maximum,
/// which it does not use.
static scf::ForOp cloneWithFinal(RunningShift shift) {
  OpBuilder builder(shift.loop->getContext());
  builder.setInsertionPointAfter(shift.loop);
  auto loop = cast<scf::ForOp>(builder.clone(*shift.loop));
  Value final = shift.loop.getResult(shift.index);
  Value next = loop.getYieldedValues()[shift.index];
  next.replaceAllUsesWith(final);
  loop.getRegionIterArgs()[shift.index].replaceAllUsesWith(final);
  loop.getInitArgsMutable()[shift.index].assign(final);
  UnitFactors().remove(*loop.getBody());
  return loop;
}

SmallVector<FinalMaximum> tile::useFinalMaxima(KernelOp kernel) {
  SmallVector<FinalMaximum> maxima;
  for (RunningShift shift : listRunningShifts(kernel)) {
    scf::ForOp loop = cloneWithFinal(shift);
    for (unsigned i = 0; i < loop.getNumResults(); ++i)
      if (i != shift.index)
        shift.loop.getResult(i).replaceAllUsesWith(loop.getResult(i));
    maxima.push_back({shift.loop, loop, shift.index});
  }
  return maxima;
}

void tile::restoreResults(ArrayRef<FinalMaximum> maxima) {
  for (FinalMaximum maximum : maxima)
    maximum.loop->replaceAllUsesWith(maximum.original);
}
