// TangentBuilder.cpp - creates the tangents of the values of a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Gradient/DerivativeInterfaces.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tile;

/// Whether an operation has a result with a tangent, or accesses an array with
/// one, itself or in its regions.
static bool isActiveOperation(const TangentBuilder &builder, Operation *op) {
  auto isActive = [&](Value value) { return builder.isActive(value); };
  auto isActiveArray = [&](Value value) {
    return isa<MemRefType>(value.getType()) && isActive(value);
  };
  return op
      ->walk([&](Operation *nested) {
        // Sizes of an array do not depend on its elements.
        bool accesses = !isMemoryEffectFree(nested) &&
                        llvm::any_of(nested->getOperands(), isActiveArray);
        bool found = accesses || llvm::any_of(nested->getResults(), isActive);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns what to write instead of an operation that has no derivative.
static StringRef getAdvice(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("scf.while", "scf.for with a known number of iterations has one")
      .Cases({"memref.load", "memref.subview"},
             "tile.load with offsets has one")
      .Cases({"tile.householder", "tile.apply_householder"}, "tile.qr has one")
      .Case("tile.one_sided_jacobi", "tile.eigh and tile.svd have one")
      .Case("tile.per_thread", "operations on tiles have one")
      .Cases({"tile.atomic_load", "tile.atomic_store"},
             "tile.load and tile.store have one")
      .Default(
          "'tile.custom_adjoint' of the kernel, or of a function that has the "
          "operation, can state one");
}

LogicalResult TangentBuilder::linearize(Operation *op) {
  if (op->hasAttr(kConstantAttr) || !isActiveOperation(*this, op))
    return success();
  SmallVector<Value> ofOperands;
  for (Value operand : op->getOperands())
    ofOperands.push_back(getTangent(operand));
  bool isConstant =
      llvm::none_of(ofOperands, [](Value tangent) { return bool(tangent); });
  if (isConstant && op->getNumRegions() == 0)
    return success();
  auto rule = dyn_cast<TangentOpInterface>(op);
  if (!rule)
    return op->emitError("expected an operation with a derivative, got '")
           << op->getName() << "', on which a gradient depends; "
           << getAdvice(op);
  setLoc(op->getLoc());
  setInsertionPointAfter(op);
  FailureOr<SmallVector<Value>> ofResults =
      rule.buildTangents(*this, ofOperands);
  if (failed(ofResults))
    return failure();
  for (auto [result, tangent] : llvm::zip_equal(op->getResults(), *ofResults))
    if (isActive(result))
      setTangent(result, withLayoutOf(result.getType(), tangent));
  return success();
}

void TangentBuilder::replaceValue(Value old, Value value, Value tangent) {
  if (isActive(old))
    active.insert(value);
  setTangent(value, tangent);
  old.replaceAllUsesWith(value);
}

LogicalResult TangentBuilder::linearize(Block &block) {
  SmallVector<Operation *> operations;
  for (Operation &op : block.without_terminator())
    operations.push_back(&op);
  for (Operation *op : operations)
    if (failed(linearize(op)))
      return failure();
  return success();
}

LogicalResult
TangentBuilder::cloneLinearized(Region &from, Region &to, TypeRange arguments,
                                function_ref<void(Block &)> setTangents) {
  IRMapping mapping;
  from.cloneInto(&to, mapping);
  for (auto [original, clone] : mapping.getValueMap())
    if (isActive(original))
      active.insert(clone);
  Block &block = to.front();
  for (Type type : arguments)
    block.addArgument(type, getLoc());
  setTangents(block);
  OpBuilder::InsertionGuard guard(*this);
  Location loc = getLoc();
  LogicalResult result = linearize(block);
  setLoc(loc);
  return result;
}
