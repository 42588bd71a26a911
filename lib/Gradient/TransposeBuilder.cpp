// TransposeBuilder.cpp - transposes the tangents of a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Gradient/DerivativeInterfaces.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

void TransposeBuilder::addCotangent(Value tangent, Value cotangent) {
  if (!cotangent || !isTangent(tangent) || isa<MemRefType>(tangent.getType()))
    return;
  Value &sum = cotangents[tangent];
  sum = add(sum, withLayoutOf(tangent.getType(), cotangent));
}

Value TransposeBuilder::takeCotangent(Value tangent) {
  auto found = cotangents.find(tangent);
  if (found == cotangents.end())
    return {};
  Value cotangent = found->second;
  cotangents.erase(found);
  return cotangent;
}

GradientUpdate TransposeBuilder::getUpdate(Value array) const {
  auto found = updates.find(array);
  return found == updates.end() ? GradientUpdate::add : found->second;
}

bool TransposeBuilder::isLinear(Operation *op) const {
  auto isTangentValue = [&](Value value) { return isTangent(value); };
  return op
      ->walk([&](Operation *nested) {
        bool found = llvm::any_of(nested->getOperands(), isTangentValue) ||
                     llvm::any_of(nested->getResults(), isTangentValue);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

TransposeBuilder::Operations TransposeBuilder::listLinear(Block &block) const {
  Operations operations;
  for (Operation &op : block.without_terminator())
    if (isLinear(&op))
      operations.push_back(&op);
  return operations;
}

LogicalResult TransposeBuilder::transpose(Operation *op) {
  auto rule = dyn_cast<LinearOpInterface>(op);
  if (!rule)
    return mlir::emitError(op->getLoc(),
                           "expected an operation with a transpose, got '")
           << op->getName() << "', on which a gradient depends";
  SmallVector<Value> ofResults;
  for (Value result : op->getResults())
    ofResults.push_back(takeCotangent(result));
  // A load whose cotangent is zero still stores the gradient.
  bool accessesArray = llvm::any_of(op->getOperands(), [&](Value value) {
    return isa<MemRefType>(value.getType()) && isTangent(value);
  });
  bool isUnused =
      !accessesArray && op->getNumRegions() == 0 &&
      llvm::none_of(ofResults, [](Value value) { return bool(value); });
  if (isUnused)
    return success();
  setLoc(op->getLoc());
  FailureOr<SmallVector<Value>> ofOperands =
      rule.buildTranspose(*this, ofResults);
  if (failed(ofOperands))
    return failure();
  for (auto [operand, cotangent] :
       llvm::zip_equal(op->getOperands(), *ofOperands))
    addCotangent(operand, cotangent);
  return success();
}

FailureOr<TransposeBuilder::Operations>
TransposeBuilder::transpose(Block &block) {
  Operations operations = listLinear(block);
  for (Operation *op : llvm::reverse(operations)) {
    setInsertionPoint(block.getTerminator());
    if (failed(transpose(op)))
      return failure();
  }
  return operations;
}

SmallVector<Value> TransposeBuilder::listCaptured(Operation *op) const {
  llvm::SetVector<Value> captured;
  op->walk([&](Operation *nested) {
    for (Value value : nested->getOperands())
      if (nested != op && isTangent(value) &&
          !isa<MemRefType>(value.getType()) &&
          !op->isAncestor(value.getParentRegion()->getParentOp()))
        captured.insert(value);
  });
  return captured.takeVector();
}

FailureOr<SmallVector<Value>>
TransposeBuilder::transposeBody(Block &body, ValueRange captured,
                                function_ref<void(Operation *)> addCotangents) {
  OpBuilder::InsertionGuard guard(*this);
  Location loc = getLoc();
  SmallVector<Value> outside, inside;
  for (Value value : captured)
    outside.push_back(takeCotangent(value));
  Operation *terminator = body.getTerminator();
  setInsertionPoint(terminator);
  addCotangents(terminator);
  FailureOr<Operations> linear = transpose(body);
  if (failed(linear))
    return failure();
  for (auto [value, cotangent] : llvm::zip_equal(captured, outside)) {
    inside.push_back(takeCotangent(value));
    if (cotangent)
      cotangents[value] = cotangent;
  }
  terminator->erase();
  eraseLinear(*linear);
  setLoc(loc);
  return inside;
}

void TransposeBuilder::eraseLinear(const Operations &operations) {
  // A new value may get the address of an erased one, and is no tangent.
  auto forget = [&](Operation *op) {
    for (Value result : op->getResults())
      tangents.erase(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        tangents.erase(argument);
  };
  for (Operation *op : llvm::reverse(operations)) {
    op->walk(forget);
    // A result that depends on no tangent is zero, and so are its uses.
    for (Value result : op->getResults())
      if (!result.use_empty()) {
        setInsertionPoint(op);
        result.replaceAllUsesWith(zero(result.getType()));
      }
    op->erase();
  }
}
