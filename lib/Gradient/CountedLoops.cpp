// CountedLoops.cpp - loops with a condition as loops with a count
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CountedLoops.h"

#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

Value tile::countTrips(ImplicitLocOpBuilder &b, scf::ForOp loop) {
  Value span =
      arith::SubIOp::create(b, loop.getUpperBound(), loop.getLowerBound());
  Value trips = arith::CeilDivSIOp::create(b, span, loop.getStep());
  Value zero =
      arith::ConstantOp::create(b, b.getIntegerAttr(trips.getType(), 0));
  return arith::MaxSIOp::create(b, trips, zero);
}

/// Erases the operations in a loop that write an array. Nothing uses their
/// results in a program with derivatives.
static void eraseWritesIn(Operation *loop) {
  loop->walk([](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    bool writesArray = llvm::any_of(effects, [](const auto &effect) {
      return isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue();
    });
    if (writesArray && op->use_empty())
      op->erase();
  });
}

/// Appends an argument to the region of a loop, and returns it.
static Value appendArgument(Region &region, Type type) {
  return region.addArgument(type, region.getLoc());
}

/// Appends operands to the terminator of a region.
static void appendOperands(Region &region, ValueRange values) {
  Operation *terminator = region.front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), values);
}

/// Creates a copy of `op` that counts its iterations, up to `bound`, and
/// returns the count. The last results of the copy are the count, and whether
/// the loop has not ended yet.
static Value createCounter(ImplicitLocOpBuilder &b, scf::WhileOp op,
                           int64_t bound) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value most = arith::ConstantIndexOp::create(b, bound);
  SmallVector<Type> types(op.getResultTypes());
  types.append({b.getIndexType(), b.getI1Type()});
  SmallVector<Value> inits(op.getInits());
  inits.push_back(zero);
  auto counter = scf::WhileOp::create(b, types, inits);
  IRMapping mapping;
  op.getBefore().cloneInto(&counter.getBefore(), mapping);
  op.getAfter().cloneInto(&counter.getAfter(), mapping);
  eraseWritesIn(counter);
  OpBuilder::InsertionGuard guard(b);

  Value count = appendArgument(counter.getBefore(), b.getIndexType());
  scf::ConditionOp condition = counter.getConditionOp();
  Value holds = condition.getCondition();
  b.setInsertionPoint(condition);
  Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, count, most);
  condition.getConditionMutable().assign(arith::AndIOp::create(b, holds, fits));
  appendOperands(counter.getBefore(), {count, holds});

  Value before = appendArgument(counter.getAfter(), b.getIndexType());
  appendArgument(counter.getAfter(), b.getI1Type());
  b.setInsertionPoint(counter.getYieldOp());
  appendOperands(counter.getAfter(),
                 arith::AddIOp::create(b, before, one).getResult());

  b.setInsertionPointAfter(counter);
  unsigned last = op->getNumResults();
  Value hasEnded =
      arith::XOrIOp::create(b, counter.getResult(last + 1),
                            arith::ConstantOp::create(b, b.getBoolAttr(true)));
  AssertOp::create(b, hasEnded,
                   ("expected a loop of at most " + Twine(bound) +
                    " iterations, the bound of " + kMaxTripsAttr +
                    ", got one that goes on")
                       .str());
  // The minimum tells the bound to those who look for one.
  return arith::MinUIOp::create(b, counter.getResult(last), most);
}

/// Clones the operations of a block, whose arguments are `arguments`, and
/// returns the values of the last operands of its terminator, from `first`.
static SmallVector<Value> cloneBody(OpBuilder &b, Block &block,
                                    ValueRange arguments, unsigned first) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands().drop_front(first),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

static void replaceByCount(scf::WhileOp op, int64_t bound) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value trips = createCounter(b, op, bound);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto check = [&](ValueRange carried) {
    return cloneBody(b, *op.getBeforeBody(), carried, /*first=*/1);
  };
  auto loop = scf::ForOp::create(b, zero, trips, one, check(op.getInits()));
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      cloneBody(b, *op.getAfterBody(), loop.getRegionIterArgs(), /*first=*/0);
  SmallVector<Value> passed = check(next);
  if (!passed.empty())
    scf::YieldOp::create(b, passed);
  op->replaceAllUsesWith(loop);
  op->erase();
}

void tile::countIterations(KernelOp kernel) {
  kernel.walk([](scf::WhileOp op) {
    if (auto bound = op->getAttrOfType<IntegerAttr>(kMaxTripsAttr))
      replaceByCount(op, bound.getInt());
  });
}
