// Executions.cpp - how often a block executes an operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Executions.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

static std::optional<int64_t> countTrips(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->getActiveBits() > 32)
    return std::nullopt;
  return trips->getZExtValue();
}

/// Returns the iterations of a loop in which its induction variable is below a
/// constant, according to a condition.
static std::optional<int64_t> countTripsBelow(scf::ForOp loop, Value condition,
                                              int64_t trips) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
      compare.getLhs() != loop.getInductionVar())
    return std::nullopt;
  std::optional<int64_t> limit = getConstantIntValue(compare.getRhs());
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!limit || !begin || !step)
    return std::nullopt;
  return std::clamp<int64_t>(llvm::divideCeilSigned(*limit - *begin, *step), 0,
                             trips);
}

/// Returns the condition of an operation that may be skipped; else null.
static Value getCondition(Operation *op) {
  auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op);
  Value condition = copy ? copy.getCondition() : Value();
  return condition && !matchPattern(condition, m_One()) ? condition : Value();
}

std::optional<int64_t> tile::countExecutions(Operation *op) {
  int64_t count = 1;
  Value condition = getCondition(op);
  for (Operation *around = op->getParentOp(); !isa<KernelOp>(around);
       around = around->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(around);
    std::optional<int64_t> trips = loop ? countTrips(loop) : std::nullopt;
    if (trips && condition)
      trips = countTripsBelow(loop, std::exchange(condition, Value()), *trips);
    if (!trips || llvm::MulOverflow(count, *trips, count))
      return std::nullopt;
  }
  return condition ? std::nullopt : std::optional(count);
}
