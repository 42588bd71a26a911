// SeparateDestinations.cpp - separate destinations for operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SeparateDestinations.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

/// Whether an operation creates a tensor without reading a tensor.
static bool isMadeOfNothing(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return isa_and_present<tensor::EmptyOp>(op) ||
         (generic && llvm::none_of(generic.getInputs().getTypes(),
                                   llvm::IsaPred<RankedTensorType>));
}

/// Returns the operands that `op` writes, or that it passes to operations that
/// may write them.
static MutableOperandRange getDestinations(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getInitArgsMutable();
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return loop.getInitsMutable();
  if (auto writer = dyn_cast<DestinationStyleOpInterface>(op))
    return writer.getDpsInitsMutable();
  return MutableOperandRange(op, 0, 0);
}

void cpu::separateDestinations(ModuleOp module) {
  SmallVector<OpOperand *> pending;
  auto collect = [&](Operation *op) {
    for (OpOperand &destination : getDestinations(op))
      pending.push_back(&destination);
  };
  module.walk(collect);
  while (!pending.empty()) {
    OpOperand *destination = pending.pop_back_val();
    Operation *maker = destination->get().getDefiningOp();
    if (!isMadeOfNothing(maker) || destination->get().hasOneUse())
      continue;
    OpBuilder builder(destination->getOwner());
    Operation *own = builder.clone(*maker);
    destination->set(own->getResult(0));
    collect(own);
  }
}
