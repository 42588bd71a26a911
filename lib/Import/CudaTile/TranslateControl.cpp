// TranslateControl.cpp - loops and branches of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelTranslator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// Whether values of the type have a value here; tokens have none. Pointers and
/// views, which are no results of regions, are an error.
static FailureOr<bool> hasValue(KernelTranslator &t, const SourceOp &op,
                                const SourceType *type) {
  if (type->tag == TypeTag::token)
    return false;
  if (t.convert(type))
    return true;
  return t.refuse(op, "expected its region to give numbers and tokens");
}

/// Returns the values that a terminator gives, without tokens.
static SmallVector<Value> listGiven(KernelTranslator &t,
                                    const SourceOp &terminator) {
  SmallVector<Value> given;
  for (SourceValue *value : terminator.getOperands("values"))
    if (Value own = t.getValue(value))
      given.push_back(own);
  return given;
}

/// Assigns results of an operation of scf, in order, to those that have a
/// value.
static LogicalResult setResults(KernelTranslator &t, const SourceOp &op,
                                ValueRange values) {
  size_t next = 0;
  for (SourceValue *result : op.results) {
    FailureOr<bool> has = hasValue(t, op, result->type);
    if (failed(has))
      return failure();
    if (*has)
      t.set(result, {values[next++]});
  }
  return success();
}

/// Translates a region to the block, which it ends with what the region gives.
static LogicalResult translateRegion(KernelTranslator &t,
                                     const SourceRegion &region, StringRef end,
                                     Block &block, TypeRange types) {
  OpBuilder::InsertionGuard guard(t.b);
  t.b.setInsertionPointToEnd(&block);
  const SourceOp *terminator = t.translateBody(region, end);
  if (!terminator)
    return failure();
  SmallVector<Value> given = listGiven(t, *terminator);
  if (ValueRange(given).getTypes() != types)
    return t.refuse(*terminator, "expected values of the operation's types");
  t.b.setLoc(terminator->loc);
  scf::YieldOp::create(t.b, given);
  return success();
}

static LogicalResult translateFor(KernelTranslator &t, const SourceOp &op) {
  const SourceRegion &region = op.regions.front();
  ArrayRef<SourceValue *> inits = op.getOperands("init");
  if (region.arguments.size() != inits.size() + 1)
    return t.refuse(op, "expected a region argument for each carried value");
  for (StringRef bound : {"lower", "upper", "step"})
    if (!t.getValue(op, bound))
      return t.refuse(op, "expected integers as bounds");
  SmallVector<Value> carried;
  for (SourceValue *init : inits) {
    FailureOr<bool> has = hasValue(t, op, init->type);
    if (failed(has))
      return failure();
    if (*has)
      carried.push_back(t.getValue(init));
  }
  auto bound = [&](StringRef name) -> Value {
    Value value = t.getValue(op, name);
    return op.hasFlag("unsigned")
               ? arith::IndexCastUIOp::create(t.b, t.b.getIndexType(), value)
                     .getResult()
               : t.toIndex(value);
  };
  Value lower = bound("lower"), upper = bound("upper"), step = bound("step");
  auto loop = scf::ForOp::create(t.b, lower, upper, step, carried);
  {
    OpBuilder::InsertionGuard guard(t.b);
    t.b.setInsertionPointToStart(loop.getBody());
    SourceValue *index = region.arguments.front();
    mlir::Type integer = t.convert(index->type);
    if (!integer || !isa<IntegerType>(integer))
      return t.refuse(op, "expected an integer as induction variable");
    t.set(index, {t.fromIndex(loop.getInductionVar(), integer)});
    auto next = loop.getRegionIterArgs().begin();
    for (auto [argument, init] :
         llvm::zip_equal(ArrayRef(region.arguments).drop_front(), inits))
      if (t.getValue(init))
        t.set(argument, {*next++});
  }
  if (carried.empty()) // the loop has a terminator already
    loop.getBody()->getTerminator()->erase();
  if (failed(translateRegion(t, region, "continue", *loop.getBody(),
                             ValueRange(carried).getTypes())))
    return failure();
  return setResults(t, op, loop.getResults());
}

static LogicalResult translateIf(KernelTranslator &t, const SourceOp &op) {
  Value condition = t.getValue(op, "condition");
  if (!condition)
    return t.refuse(op, "expected i1 as condition");
  SmallVector<mlir::Type> types;
  for (SourceValue *result : op.results) {
    FailureOr<bool> has = hasValue(t, op, result->type);
    if (failed(has))
      return failure();
    if (*has)
      types.push_back(t.convert(result->type));
  }
  auto branch = scf::IfOp::create(t.b, types, condition,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  for (auto [region, block] :
       llvm::zip_equal(op.regions, ArrayRef<Block *>{branch.thenBlock(),
                                                     branch.elseBlock()}))
    if (failed(translateRegion(t, region, "yield", *block, types)))
      return failure();
  return setResults(t, op, branch.getResults());
}

static LogicalResult refuseEnd(KernelTranslator &t, const SourceOp &op) {
  return t.refuse(op, "at a place other than the end of its region it has no "
                      "translation yet");
}

void tile::cudatile::addControl(Handlers &handlers) {
  handlers["break"] = {refuseEnd};
  handlers["continue"] = {refuseEnd};
  handlers["for"] = {translateFor, true};
  handlers["if"] = {translateIf, true};
  handlers["return"] = {refuseEnd};
  handlers["yield"] = {refuseEnd};
}
