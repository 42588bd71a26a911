// Control.cpp - loops, branches and calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

LogicalResult Interpreter::runFor(scf::ForOp op) {
  SmallVector<Elements> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(get(init));
  int64_t last = getIndex(op.getUpperBound()), step = getIndex(op.getStep());
  for (int64_t i = getIndex(op.getLowerBound()); i < last; i += step) {
    setScalar(op.getInductionVar(), i);
    for (auto [argument, value] : llvm::zip(op.getRegionIterArgs(), carried))
      set(argument, value);
    if (failed(run(*op.getBody())))
      return failure();
    for (auto [value, yielded] :
         llvm::zip(carried, op.getBody()->getTerminator()->getOperands()))
      value = get(yielded);
  }
  for (auto [result, value] : llvm::zip(op.getResults(), carried))
    set(result, value);
  return success();
}

LogicalResult Interpreter::runWhile(scf::WhileOp op) {
  SmallVector<Elements> carried;
  for (Value init : op.getInits())
    carried.push_back(get(init));
  auto pass = [&](ValueRange from) {
    carried.clear();
    for (Value value : from)
      carried.push_back(get(value));
  };
  while (true) {
    for (auto [argument, value] : llvm::zip(op.getBeforeArguments(), carried))
      set(argument, value);
    if (failed(run(*op.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    const Element &goesOn = get(condition.getCondition()).front();
    if (goesOn.isUnknown())
      return op.emitError("expected a condition that is known");
    pass(condition.getArgs());
    if (!goesOn.integer)
      break;
    for (auto [argument, value] : llvm::zip(op.getAfterArguments(), carried))
      set(argument, value);
    if (failed(run(*op.getAfterBody())))
      return failure();
    pass(op.getYieldOp().getOperands());
  }
  for (auto [result, value] : llvm::zip(op.getResults(), carried))
    set(result, value);
  return success();
}

LogicalResult Interpreter::runIf(scf::IfOp op) {
  const Element &condition = get(op.getCondition()).front();
  if (condition.isUnknown() && op->getParentOfType<MapOp>()) {
    // Regions of tile.map write nothing, so only the results are unknown.
    for (Value result : op.getResults())
      set(result, {Element::unknown()});
    return success();
  }
  if (condition.isUnknown())
    return op.emitError("expected a condition that is known");
  Region &region = condition.integer ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return success();
  if (failed(run(region.front())))
    return failure();
  for (auto [result, yielded] : llvm::zip(
           op.getResults(), region.front().getTerminator()->getOperands()))
    set(result, get(yielded));
  return success();
}

LogicalResult Interpreter::runCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  for (auto [argument, operand] :
       llvm::zip(callee.getArguments(), op.getOperands()))
    set(argument, get(operand));
  if (failed(run(callee.getBody().front())))
    return failure();
  for (auto [result, returned] :
       llvm::zip(op.getResults(),
                 callee.getBody().front().getTerminator()->getOperands()))
    set(result, get(returned));
  return success();
}
