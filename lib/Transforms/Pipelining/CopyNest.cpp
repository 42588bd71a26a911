// CopyNest.cpp - iterations of two nested loops, over which copies run ahead
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyNest.h"

#include "StageMarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

scf::ForOp tile::getOuterLoop(scf::ForOp loop) {
  auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!outer)
    return {};
  bool isOnly = llvm::none_of(*outer.getBody(), [&](Operation &op) {
    return &op != loop && isa<LoopLikeOpInterface>(op);
  });
  return isOnly ? outer : scf::ForOp();
}

/// Whether a value of the outer loop's body can be computed for another
/// iteration: it depends only on the loop's index and on values from outside,
/// by operations without effects or tiles.
static bool isKnownFor(Value value, scf::ForOp outer) {
  if (outer.isDefinedOutsideOfLoop(value) || value == outer.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == outer.getBody() && isMemoryEffectFree(op) &&
         op->getNumRegions() == 0 &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TileType>) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isKnownFor(operand, outer);
         });
}

/// Adds the values from outside of the inner loop that `value`, of its body, is
/// computed from, and that the outer loop's body computes.
static void addOuterValues(Value value, scf::ForOp inner, scf::ForOp outer,
                           llvm::SetVector<Value> &values) {
  if (value == inner.getInductionVar() || value == outer.getInductionVar() ||
      outer.isDefinedOutsideOfLoop(value))
    return;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != inner.getBody()) {
    values.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    addOuterValues(operand, inner, outer, values);
}

static llvm::SetVector<Value>
collectOuterValues(scf::ForOp inner, ArrayRef<CopyableOpInterface> loads) {
  llvm::SetVector<Value> values;
  for (CopyableOpInterface load : loads)
    for (Value offset : load.getOffsets())
      addOuterValues(offset, inner, getOuterLoop(inner), values);
  return values;
}

StringRef tile::whyNotAcross(scf::ForOp loop,
                             ArrayRef<CopyableOpInterface> loads) {
  scf::ForOp outer = getOuterLoop(loop);
  if (StringRef reason = whyNotAhead(outer); !reason.empty())
    return reason;
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!outer.isDefinedOutsideOfLoop(bound))
      return "the bounds of the inner loop depend on it";
  for (CopyableOpInterface load : loads) {
    if (!outer.isDefinedOutsideOfLoop(load.getArray()))
      return "it makes a view of an array that is loaded";
    if (mayWrite(outer, load.getArray()))
      return "it writes an array that is loaded";
  }
  if (!llvm::all_of(collectOuterValues(loop, loads),
                    [&](Value value) { return isKnownFor(value, outer); }))
    return "offsets of loads are not known an iteration ahead";
  return "";
}

Value tile::cloneSlice(OpBuilder &builder, Value value, scf::ForOp loop,
                       IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return value;
  for (Value operand : op->getOperands())
    mapping.map(operand, cloneSlice(builder, operand, loop, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

CopyNest::CopyNest(scf::ForOp inner, ArrayRef<CopyableOpInterface> loads)
    : inner(inner), outer(getOuterLoop(inner)),
      values(collectOuterValues(inner, loads).takeVector()) {}

/// Computes the values of the outer loop's body for an index of the loop.
SmallVector<Value> CopyNest::compute(OpBuilder &builder, Value outerIndex) {
  IRMapping mapping;
  mapping.map(outer.getInductionVar(), outerIndex);
  return llvm::map_to_vector(values, [&](Value value) {
    return cloneSlice(builder, value, outer, mapping);
  });
}

SmallVector<Value> CopyNest::getFirst(OpBuilder &builder) {
  SmallVector<Value> first = {inner.getLowerBound(), outer.getLowerBound()};
  llvm::append_range(first, compute(builder, outer.getLowerBound()));
  return first;
}

SmallVector<Value> CopyNest::getNext(OpBuilder &builder, ValueRange at) {
  Location loc = inner.getLoc();
  auto isBelow = [&](Value index, Value end) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index,
                                 end);
  };
  Value nextInner = arith::AddIOp::create(builder, loc, at[0], inner.getStep());
  Value stays = isBelow(nextInner, inner.getUpperBound());
  Value nextOuter = arith::AddIOp::create(builder, loc, at[1], outer.getStep());
  auto select = [&](Value ifStays, Value otherwise) -> Value {
    return arith::SelectOp::create(builder, loc, stays, ifStays, otherwise);
  };
  SmallVector<Value> next = {select(nextInner, inner.getLowerBound()),
                             select(at[1], nextOuter)};
  if (values.empty())
    return next;
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       nextOuter, outer.getUpperBound());
  Value keeps = arith::OrIOp::create(builder, loc, stays, isLast);
  auto branch = scf::IfOp::create(
      builder, loc, keeps,
      [&](OpBuilder &inside, Location) {
        scf::YieldOp::create(inside, loc, at.drop_front(2));
      },
      [&](OpBuilder &inside, Location) {
        scf::YieldOp::create(inside, loc, compute(inside, nextOuter));
      });
  llvm::append_range(next, branch.getResults());
  return next;
}

Value CopyNest::exists(OpBuilder &builder, ValueRange at) {
  Location loc = inner.getLoc();
  auto isBelow = [&](Value index, scf::ForOp loop) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index,
                                 loop.getUpperBound());
  };
  return arith::AndIOp::create(builder, loc, isBelow(at[0], inner),
                               isBelow(at[1], outer));
}

void CopyNest::map(ValueRange at, IRMapping &mapping) {
  mapping.map(inner.getInductionVar(), at[0]);
  mapping.map(outer.getInductionVar(), at[1]);
  for (auto [value, ofIteration] : llvm::zip(values, at.drop_front(2)))
    mapping.map(value, ofIteration);
}
