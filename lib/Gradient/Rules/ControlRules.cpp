// ControlRules.cpp - derivatives of loops and branches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tangents of a loop or branch are computed by another one, which computes
// the original values again, together with their tangents. Its transpose is a
// third one: the values are computed again, and the transposes follow in
// reverse order.

#include "../CountedLoops.h"
#include "KeptStates.h"
#include "Rules.h"

#include "tile/IR/AttachModels.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

/// Lists the results that have tangents. A value that a loop carries has one
/// if its result has, even if the body does not use the value, and if the body
/// uses it, even if nothing uses the result.
static SmallVector<unsigned> listActive(TangentBuilder &b, ValueRange results,
                                        ValueRange carried = {}) {
  SmallVector<unsigned> active;
  for (auto [index, result] : llvm::enumerate(results))
    if (b.isActive(result) || (!carried.empty() && b.isActive(carried[index])))
      active.push_back(index);
  return active;
}

/// Appends the tangents of the values at `active` to those that the terminator
/// of a block passes on, from its operand `first`.
static void appendTangents(TangentBuilder &b, Block &block,
                           ArrayRef<unsigned> active, unsigned first = 0) {
  Operation *terminator = block.getTerminator();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(terminator);
  SmallVector<Value> values(terminator->getOperands());
  for (unsigned index : active) {
    Value value = terminator->getOperand(first + index);
    values.push_back(b.orZero(b.getTangent(value), value.getType()));
  }
  terminator->setOperands(values);
}

/// Returns the tangents of the results of an operation: the last results of
/// `combined`, which has the results and the tangents of those at `active`.
/// Replaces the operation if the builder does.
static Derivatives finishTangents(TangentBuilder &b, Operation *op,
                                  Operation *combined,
                                  ArrayRef<unsigned> active) {
  SmallVector<Value> tangents(op->getNumResults());
  for (auto [position, index] : llvm::enumerate(active))
    tangents[index] = combined->getResult(op->getNumResults() + position);
  if (!b.replacesOperations()) {
    b.setOriginal(combined, op);
    return tangents;
  }
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    b.replaceValue(result, combined->getResult(index), tangents[index]);
  return tangents;
}

static SmallVector<Type> appendTypes(ValueRange values,
                                     ArrayRef<unsigned> active) {
  SmallVector<Type> types(values.getTypes());
  for (unsigned index : active)
    types.push_back(values[index].getType());
  return types;
}

/// Makes a block end with the cotangents of `captured` that it has, or zeros.
static void yieldCotangents(TransposeBuilder &b, Block &block,
                            ArrayRef<Value> cotangents, ValueRange captured) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&block);
  SmallVector<Value> values;
  for (auto [cotangent, value] : llvm::zip_equal(cotangents, captured))
    values.push_back(b.orZero(cotangent, value.getType()));
  scf::YieldOp::create(b, values);
}

namespace tile {
//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static Derivatives makeTangents(scf::IfOp op, TangentBuilder &b,
                                ArrayRef<Value>) {
  SmallVector<unsigned> active = listActive(b, op.getResults());
  auto combined = scf::IfOp::create(
      b, appendTypes(op.getResults(), active), op.getCondition(),
      /*addThenBlock=*/false, /*addElseBlock=*/false);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), combined->getRegions())) {
    if (from.empty())
      continue;
    if (failed(b.cloneLinearized(from, to, {}, [](Block &) {})))
      return failure();
    appendTangents(b, to.front(), active);
  }
  return finishTangents(b, op, combined, active);
}

static Derivatives makeTranspose(scf::IfOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  SmallVector<Value> captured = b.listCaptured(op);
  auto transposed =
      scf::IfOp::create(b, ValueRange(captured).getTypes(), op.getCondition(),
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), transposed->getRegions())) {
    Block &block = to.front();
    block.clear();
    SmallVector<Value> inside(captured.size());
    if (!from.empty()) {
      block.getOperations().splice(block.end(), from.front().getOperations());
      Derivatives found =
          b.transposeBody(block, captured, [&](Operation *terminator) {
            for (auto [value, cotangent] :
                 llvm::zip_equal(terminator->getOperands(), cotangents))
              b.addCotangent(value, cotangent);
          });
      if (failed(found))
        return failure();
      inside = *found;
    }
    yieldCotangents(b, block, inside, captured);
  }
  b.setInsertionPointAfter(transposed);
  for (auto [value, cotangent] :
       llvm::zip_equal(captured, transposed.getResults()))
    b.addCotangent(value, cotangent);
  return SmallVector<Value>(op->getNumOperands());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Clones a region of a loop and linearizes it. The block gets an argument for
/// the tangent of each value at `active`, of those that it takes from its
/// argument `first`.
static LogicalResult cloneWithTangents(TangentBuilder &b, Region &from,
                                       Region &to, ArrayRef<unsigned> active,
                                       unsigned first = 0) {
  SmallVector<Type> types;
  for (unsigned index : active)
    types.push_back(from.getArgument(first + index).getType());
  return b.cloneLinearized(from, to, types, [&](Block &block) {
    unsigned last = block.getNumArguments() - active.size();
    for (auto [position, index] : llvm::enumerate(active))
      b.setTangent(block.getArgument(first + index),
                   block.getArgument(last + position));
  });
}

/// Returns the values before a loop, followed by the tangents of those at
/// `active`.
static SmallVector<Value> appendInits(TangentBuilder &b, ValueRange inits,
                                      ArrayRef<Value> tangents,
                                      ArrayRef<unsigned> active) {
  SmallVector<Value> all(inits);
  for (unsigned index : active)
    all.push_back(b.orZero(tangents[index], inits[index].getType()));
  return all;
}

static Derivatives makeTangents(scf::ForOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  SmallVector<unsigned> active =
      listActive(b, op.getResults(), op.getRegionIterArgs());
  SmallVector<Value> inits =
      appendInits(b, op.getInitArgs(),
                  tangents.drop_front(op.getNumControlOperands()), active);
  auto combined = scf::ForOp::create(b, op.getLowerBound(), op.getUpperBound(),
                                     op.getStep(), inits);
  combined.getRegion().getBlocks().clear();
  if (failed(cloneWithTangents(b, op.getRegion(), combined.getRegion(), active,
                               /*first=*/1)))
    return failure();
  appendTangents(b, *combined.getBody(), active);
  return finishTangents(b, op, combined, active);
}

/// Whether an operation accesses an array in its regions that has a tangent
/// and that it may write.
static bool writesActive(TangentBuilder &b, Operation *op) {
  return op
      ->walk([&](MemoryEffectOpInterface nested) {
        for (Value operand : nested->getOperands())
          if (b.isActive(operand) &&
              nested.getEffectOnValue<MemoryEffects::Write>(operand))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// A loop whose transpose is needed has become one that counts its iterations,
/// if it has a bound (CountedLoops.h).
static LogicalResult verifyCounted(scf::WhileOp op, TangentBuilder &b) {
  if (b.replacesOperations())
    return success();
  return op->emitError("expected an 'scf.while' with the attribute '")
         << kMaxTripsAttr
         << "', the most iterations that it runs, since the gradient runs them "
            "in reverse order, got one without";
}

static Derivatives makeTangents(scf::WhileOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  SmallVector<unsigned> before = listActive(b, op.getBeforeArguments());
  SmallVector<unsigned> after =
      listActive(b, op.getResults(), op.getAfterArguments());
  if (before.empty() && after.empty() && !writesActive(b, op))
    return SmallVector<Value>(op->getNumResults());
  if (failed(verifyCounted(op, b)))
    return failure();
  auto combined =
      scf::WhileOp::create(b, appendTypes(op.getResults(), after),
                           appendInits(b, op.getInits(), tangents, before));
  combined->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (failed(
          cloneWithTangents(b, op.getBefore(), combined.getBefore(), before)) ||
      failed(cloneWithTangents(b, op.getAfter(), combined.getAfter(), after)))
    return failure();
  appendTangents(b, *combined.getBeforeBody(), after, /*first=*/1);
  appendTangents(b, *combined.getAfterBody(), before);
  return finishTangents(b, op, combined, after);
}

/// Returns the iteration of a loop that its transpose runs as `reversed`.
static Value reverseIteration(ValueBuilder &b, Value trips, Value reversed) {
  Value one =
      arith::ConstantOp::create(b, b.getIntegerAttr(trips.getType(), 1));
  Value last = arith::SubIOp::create(b, trips, one);
  return arith::SubIOp::create(b, last, reversed);
}

/// Returns the induction variable of an iteration.
static Value getInduction(ValueBuilder &b, scf::ForOp op, Value iteration) {
  return arith::AddIOp::create(
      b, op.getLowerBound(), arith::MulIOp::create(b, iteration, op.getStep()));
}

/// Erases the operations of a block whose results nothing uses.
static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Makes `loop` store a value that it carries, at the start of each iteration.
static void keepState(ValueBuilder &b, scf::ForOp loop, unsigned carried,
                      Value array, Value program) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value distance =
      arith::SubIOp::create(b, loop.getInductionVar(), loop.getLowerBound());
  Value iteration = arith::DivUIOp::create(b, distance, loop.getStep());
  storeState(b, loop.getRegionIterArgs()[carried], array, program,
             toIndex(b, iteration));
}

/// Attribute of an operation that stands for a value that the linearized loop
/// carries and that is no tangent, in the transposed loop: its index.
constexpr StringLiteral kCarriedAttr = "carried";

static void standForCarried(ValueBuilder &b, scf::ForOp op, unsigned carried) {
  Value argument = op.getRegionIterArgs()[carried];
  auto standIn =
      UnrealizedConversionCastOp::create(b, argument.getType(), ValueRange());
  standIn->setAttr(kCarriedAttr, b.getIndexAttr(carried));
  argument.replaceAllUsesWith(standIn.getResult(0));
}

/// Replaces the carried values that the transpose of `op`, the linearized loop,
/// needs. The original loop keeps them in an array, one for each iteration.
static LogicalResult restoreStates(TransposeBuilder &b, scf::ForOp op,
                                   scf::ForOp transposed) {
  Value trips = transposed.getUpperBound();
  for (auto standIn : llvm::make_early_inc_range(
           transposed.getBody()->getOps<UnrealizedConversionCastOp>())) {
    unsigned carried =
        standIn->getAttrOfType<IntegerAttr>(kCarriedAttr).getInt();
    Type type = standIn.getResult(0).getType();
    LoopStates *states = b.getStates();
    Operation *original = states ? states->getOriginal(op) : nullptr;
    if (!original)
      return emitError(op.getLoc(),
                       "expected a loop whose derivative needs no value that "
                       "the loop carries, got one that needs a ")
             << type;
    FailureOr<Value> array = states->createArray(original, trips, type);
    if (failed(array))
      return failure();
    Value program = getProgramIndex(b, original);
    keepState(b, cast<scf::ForOp>(original), carried, *array, program);
    b.setInsertionPoint(standIn);
    Value iteration = reverseIteration(b, trips, transposed.getInductionVar());
    Value state = loadState(b, type, *array, program, toIndex(b, iteration));
    standIn.getResult(0).replaceAllUsesWith(state);
    standIn.erase();
  }
  return success();
}

/// Returns an integer constant of the type of a loop's bounds.
static Value createCount(ValueBuilder &b, Type type, int64_t value) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
}

/// Adds a cotangent, before it was rounded, to the sum that a loop carries.
static Value addToSum(ValueBuilder &b, Value sum, Value cotangent) {
  Value exact = skipRounding(cotangent);
  bool isOnlyUse = llvm::all_of(exact.getUsers(), isOpTriviallyDead);
  return b.accumulate(sum, exact, isOnlyUse);
}

/// The transposed loop runs the iterations from the last to the first. It
/// carries the cotangents of the tangents that the loop carries, and the sums,
/// in f32 at least, of the cotangents of the tangents that the loop uses from
/// outside.
static Derivatives makeTranspose(scf::ForOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  SmallVector<Value> captured = b.listCaptured(op);
  SmallVector<unsigned> linear;
  for (auto [index, argument] : llvm::enumerate(op.getRegionIterArgs()))
    if (b.isTangent(argument))
      linear.push_back(index);
  SmallVector<Value> inits;
  for (unsigned index : linear)
    inits.push_back(b.orZero(cotangents[index], op.getResult(index).getType()));
  for (Value value : captured)
    inits.push_back(b.zero(getSumType(value)));
  Value trips = countTrips(b, op);
  Type integer = trips.getType();
  auto transposed = scf::ForOp::create(b, createCount(b, integer, 0), trips,
                                       createCount(b, integer, 1), inits);
  Block &old = *op.getBody(), &body = *transposed.getBody();
  body.clear();
  b.setInsertionPointToStart(&body);
  Value iteration = reverseIteration(b, trips, transposed.getInductionVar());
  old.getArgument(0).replaceAllUsesWith(getInduction(b, op, iteration));
  for (auto [index, argument] : llvm::enumerate(op.getRegionIterArgs()))
    if (!b.isTangent(argument))
      standForCarried(b, op, index);
  body.getOperations().splice(body.end(), old.getOperations());
  SmallVector<Value> next;
  Derivatives inside =
      b.transposeBody(body, captured, [&](Operation *terminator) {
        for (auto [position, index] : llvm::enumerate(linear))
          b.addCotangent(terminator->getOperand(index),
                         transposed.getRegionIterArgs()[position]);
      });
  if (failed(inside))
    return failure();
  b.setInsertionPointToEnd(&body);
  for (unsigned index : linear) {
    Value argument = op.getRegionIterArgs()[index];
    next.push_back(b.orZero(b.takeCotangent(argument), argument.getType()));
  }
  for (auto [position, cotangent] : llvm::enumerate(*inside)) {
    Value sum = transposed.getRegionIterArgs()[linear.size() + position];
    next.push_back(cotangent ? addToSum(b, sum, cotangent) : sum);
  }
  scf::YieldOp::create(b, next);
  eraseDead(body);
  if (failed(restoreStates(b, op, transposed)))
    return failure();
  b.setInsertionPointAfter(transposed);
  SmallVector<Value> results(op->getNumOperands());
  unsigned first = op.getNumControlOperands();
  for (auto [position, index] : llvm::enumerate(linear))
    results[first + index] = transposed.getResult(position);
  for (auto [position, value] : llvm::enumerate(captured))
    b.addCotangent(value, b.cast(transposed.getResult(linear.size() + position),
                                 getElementType(value.getType())));
  return results;
}
} // namespace tile

void tile::addControlRules(MLIRContext &context) {
  attachModels<TangentModel, scf::ForOp, scf::IfOp, scf::WhileOp>(context);
  attachModels<TransposeModel, scf::ForOp, scf::IfOp>(context);
}
