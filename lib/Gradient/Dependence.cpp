// Dependence.cpp - values that depend on others by differentiable values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dependence.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tile;

void Dependence::add(Value from, Value to) {
  if (!isDifferentiable(from.getType()) || !isDifferentiable(to.getType()) ||
      constants.contains(from) || constants.contains(to))
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
        add(operand->get(), input);
    return;
  }
  llvm::SetVector<Value> used = getUsedValues(op);
  for (Value value : used)
    for (Value result : op->getResults())
      add(value, result);
  // A write to a part of an array is one to the array.
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    add(view.getViewDest(), view.getViewSource());
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
          add(value, written);
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
