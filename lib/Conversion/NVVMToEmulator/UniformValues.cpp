// UniformValues.cpp - values that are equal in all threads of a block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UniformValues.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tile;

/// Whether an nvvm operation returns the same value to all threads of the
/// block.
static bool isOfAllThreads(Operation *op) {
  return isa<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp,
             NVVM::BlockDimXOp, NVVM::BlockDimYOp, NVVM::BlockDimZOp,
             NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(op);
}

/// Whether an operation may return different results in threads with equal
/// operands.
static bool isVaryingSource(Operation *op) {
  if (isa_and_present<NVVM::NVVMDialect>(op->getDialect()))
    return !isOfAllThreads(op);
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    auto pointer = cast<LLVM::LLVMPointerType>(load.getAddr().getType());
    return pointer.getAddressSpace() !=
           static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);
  }
  return isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::CallOp,
             LLVM::InlineAsmOp, LLVM::AllocaOp>(op);
}

llvm::DenseSet<Value> tile::findVaryingValues(LLVM::LLVMFuncOp function) {
  llvm::DenseSet<Value> varying;
  SmallVector<Value> pending;
  auto add = [&](Value value) {
    if (varying.insert(value).second)
      pending.push_back(value);
  };
  function.walk([&](Operation *op) {
    if (isVaryingSource(op))
      llvm::for_each(op->getResults(), add);
  });
  while (!pending.empty()) {
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      llvm::for_each(user->getResults(), add);
      if (auto branch = dyn_cast<BranchOpInterface>(user))
        if (auto argument =
                branch.getSuccessorBlockArgument(use.getOperandNumber()))
          add(*argument);
    }
  }
  return varying;
}
