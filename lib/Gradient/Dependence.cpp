// Dependence.cpp - values that depend on others by differentiable values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dependence.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tile;

/// Whether an operation, or one in its regions, is a cast between the bits of
/// floating-point values and integers.
static bool isBitCast(Operation *op) {
  if (auto cast = dyn_cast<CastOp>(op))
    return cast.getBitcast();
  return isa<arith::BitcastOp>(op);
}

static bool containsBitCast(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return isBitCast(nested) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a value is a scalar or a tile of integers.
static bool isInteger(Value value) {
  return getElementType(value.getType()).isIntOrIndex();
}

void Dependence::add(Value from, Value to, bool castsBits) {
  bool areDifferentiable =
      isDifferentiable(from.getType()) && isDifferentiable(to.getType());
  bool haveBits = castsBits || (isInteger(from) && isInteger(to));
  if ((!areDifferentiable && !haveBits) || constants.contains(from) ||
      constants.contains(to))
    return;
  dependents[from].push_back(to);
  dependencies[to].push_back(from);
}

/// Returns the operands of an operation, and the values from outside that its
/// regions use.
static llvm::SetVector<Value> getUsedValues(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

void Dependence::addOperation(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    for (auto &[operand, inputs] : mapping)
      for (Value input : inputs)
        add(operand->get(), input, /*castsBits=*/false);
    return;
  }
  llvm::SetVector<Value> used = getUsedValues(op);
  bool castsBits = containsBitCast(op);
  for (Value value : used)
    for (Value result : op->getResults())
      add(value, result, castsBits);
  // A write to a part of an array is one to the array.
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    add(view.getViewDest(), view.getViewSource(), /*castsBits=*/false);
  auto memory = dyn_cast<MemoryEffectOpInterface>(op);
  if (!memory)
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  memory.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (Value written = effect.getValue();
        written && isa<MemoryEffects::Write>(effect.getEffect()))
      for (Value value : used)
        if (value != written)
          add(value, written, /*castsBits=*/false);
}

Dependence::Dependence(Operation *kernel, ValueRange constants)
    : constants(constants.begin(), constants.end()) {
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == kernel)
      return WalkResult::advance();
    addOperation(op);
    // The operations of a region on elements are seen as one operation.
    bool isFlow = op->getNumRegions() == 0 || isa<RegionBranchOpInterface>(op);
    return isFlow ? WalkResult::advance() : WalkResult::skip();
  });
}

ValueSet Dependence::visit(const Edges &edges, ValueRange seeds) {
  ValueSet seen(seeds.begin(), seeds.end());
  SmallVector<Value> pending(seeds);
  while (!pending.empty()) {
    auto found = edges.find(pending.pop_back_val());
    if (found == edges.end())
      continue;
    for (Value next : found->second)
      if (seen.insert(next).second)
        pending.push_back(next);
  }
  return seen;
}

ValueSet Dependence::findDependents(ValueRange seeds) const {
  return visit(dependents, seeds);
}

ValueSet Dependence::findDependencies(ValueRange seeds) const {
  return visit(dependencies, seeds);
}

FailureOr<ValueSet> tile::findActive(Operation *op, ValueRange seeds,
                                     ValueRange results, ValueRange constants) {
  Dependence dependence(op, constants);
  ValueSet needed = dependence.findDependencies(results);
  ValueSet active;
  for (Value value : dependence.findDependents(seeds))
    if (needed.contains(value))
      active.insert(value);
  WalkResult result = op->walk([&](Operation *nested) {
    auto isActiveInteger = [&](Value value) {
      return active.contains(value) && isInteger(value);
    };
    auto isActiveValue = [&](Value value) {
      return active.contains(value) && !isInteger(value);
    };
    bool castsToBits = nested != op &&
                       llvm::any_of(nested->getResults(), isActiveInteger) &&
                       llvm::any_of(getUsedValues(nested), isActiveValue) &&
                       containsBitCast(nested);
    if (!castsToBits)
      return WalkResult::advance();
    nested->emitError("expected a cast with a derivative, got one of bits");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return active;
}
