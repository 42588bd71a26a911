// CopyNest.cpp - iterations of two nested loops, over which copies run ahead
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyNest.h"

#include "StageMarks.h"

#include "tile/Analysis/Alignment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tile;

scf::ForOp tile::getOuterLoop(scf::ForOp loop) {
  auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!outer)
    return {};
  WalkResult other = outer.getBody()->walk(
      [&](LoopLikeOpInterface op) { return WalkResult(success(op == loop)); });
  return other.wasInterrupted() ? scf::ForOp() : outer;
}

namespace {
/// Finds the values of the outer loop's body from which offsets are computed.
class OuterValues {
public:
  OuterValues(scf::ForOp inner, scf::ForOp outer)
      : inner(inner), outer(outer) {}

  /// Adds those from which `value`, of the inner loop's body, is computed.
  void add(Value value) {
    if (value == inner.getInductionVar() || value == outer.getInductionVar() ||
        outer.isDefinedOutsideOfLoop(value) || !added.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != inner.getBody())
      values.push_back(value);
    else
      llvm::for_each(op->getOperands(), [&](Value operand) { add(operand); });
  }

  /// Whether all can be computed for another iteration: they depend only on the
  /// outer loop's index and on values from outside, by operations without
  /// effects or tiles.
  bool areKnown() {
    return llvm::all_of(values, [&](Value value) { return isKnown(value); });
  }

  SmallVector<Value> values;

private:
  bool isKnown(Value value) {
    if (outer.isDefinedOutsideOfLoop(value) ||
        value == outer.getInductionVar() || known.contains(value))
      return true;
    Operation *op = value.getDefiningOp();
    bool isNumber =
        op && op->getBlock() == outer.getBody() && isMemoryEffectFree(op) &&
        op->getNumRegions() == 0 &&
        llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TileType>);
    if (!isNumber || !llvm::all_of(op->getOperands(), [&](Value operand) {
          return isKnown(operand);
        }))
      return false;
    known.insert(value);
    return true;
  }

  scf::ForOp inner, outer;
  llvm::DenseSet<Value> added, known;
};
} // namespace

static OuterValues collectOuterValues(scf::ForOp inner,
                                      ArrayRef<CopyableOpInterface> loads) {
  OuterValues values(inner, getOuterLoop(inner));
  for (CopyableOpInterface load : loads)
    for (Value offset : load.getOffsets())
      values.add(offset);
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
  if (!collectOuterValues(loop, loads).areKnown())
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
      values(collectOuterValues(inner, loads).values) {}

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

/// Returns `carried`, which a loop carries, in such a way that it is known not
/// to be negative if that is known of `original`.
static Value keepNonNegative(OpBuilder &builder, Value original,
                             Value carried) {
  if (!original.getType().isIndex() || !isKnownNonNegative(original))
    return carried;
  Location loc = carried.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::MaxSIOp::create(builder, loc, carried, zero);
}

void CopyNest::map(OpBuilder &builder, ValueRange at, IRMapping &mapping) {
  SmallVector<Value> originals = {inner.getInductionVar(),
                                  outer.getInductionVar()};
  llvm::append_range(originals, values);
  for (auto [original, carried] : llvm::zip_equal(originals, at))
    mapping.map(original, keepNonNegative(builder, original, carried));
}
