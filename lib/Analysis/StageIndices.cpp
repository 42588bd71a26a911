// StageIndices.cpp - the integers that choose the stage of a circular buffer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageIndices.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

StageIndices::StageIndices(KernelOp kernel) {
  kernel.walk([&](memref::SubViewOp view) {
    if (isSharedBuffer(view.getSourceType()))
      for (Value offset : view.getOffsets())
        track(offset);
  });
}

/// Tracks the value and the values that it is computed from.
void StageIndices::track(Value value) {
  SmallVector<Value> work = {value};
  while (!work.empty()) {
    Value at = work.pop_back_val();
    if (!at.getType().isSignlessIntOrIndex() || !tracked.insert(at).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(at)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && at != loop.getInductionVar())
        work.append({loop.getTiedLoopInit(argument)->get(),
                     loop.getTiedLoopYieldedValue(argument)->get()});
      continue;
    }
    Operation *op = at.getDefiningOp();
    unsigned index = cast<OpResult>(at).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      work.push_back(loop.getRegionIterArg(index));
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      work.append({branch.thenYield().getOperand(index),
                   branch.elseYield().getOperand(index)});
    else if (op->getNumRegions() == 0)
      work.append(op->operand_begin(), op->operand_end());
  }
}

KnownIndex StageIndices::get(OpFoldResult value) const {
  if (KnownIndex constant = getConstantIntValue(value))
    return constant;
  auto it = known.find(dyn_cast<Value>(value));
  return it == known.end() ? KnownIndex() : KnownIndex(it->second);
}

void StageIndices::set(Value value, KnownIndex index) {
  if (index)
    known[value] = *index;
  else
    known.erase(value);
}

/// Computes index arithmetic modulo 2^64.
static KnownIndex compute(Operation *op, int64_t a, int64_t b) {
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  if (isa<arith::AddIOp>(op))
    return ua + ub;
  if (isa<arith::SubIOp>(op))
    return ua - ub;
  if (isa<arith::MulIOp>(op))
    return ua * ub;
  if (isa<arith::RemUIOp>(op) && ub != 0)
    return ua % ub;
  if (isa<arith::RemSIOp>(op) && b > 0)
    return a % b;
  if (isa<arith::DivUIOp>(op) && ub != 0)
    return ua / ub;
  if (isa<arith::AndIOp>(op))
    return a & b;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, ua),
                                    APInt(64, ub));
  return std::nullopt;
}

void StageIndices::run(Operation *op) {
  if (op->getNumResults() != 1 || !isTracked(op->getResult(0)))
    return;
  Value result = op->getResult(0);
  set(result, std::nullopt);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    KnownIndex condition = get(select.getCondition());
    KnownIndex yes = get(select.getTrueValue()),
               no = get(select.getFalseValue());
    if (condition)
      set(result, *condition != 0 ? yes : no);
    else if (yes == no)
      set(result, yes);
    return;
  }
  // Arithmetic of narrower integers does not wrap at 2^64.
  if (op->getNumOperands() != 2 || !op->getOperand(0).getType().isIndex())
    return;
  KnownIndex a = get(op->getOperand(0)), b = get(op->getOperand(1));
  if (a && b)
    set(result, compute(op, *a, *b));
}
