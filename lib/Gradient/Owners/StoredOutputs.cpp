// StoredOutputs.cpp - outputs that a kernel of gradients stores, too
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StoredOutputs.h"

#include "../SimplifyGradient.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

/// Counts the operations that read memory, atomic updates among them.
static int64_t countReads(KernelOp kernel) {
  int64_t count = 0;
  kernel.walk([&](Operation *op) {
    count += op->getNumRegions() == 0 && hasEffect<MemoryEffects::Read>(op);
  });
  return count;
}

static void eraseAllWrites(KernelOp kernel, ArrayRef<unsigned> arrays) {
  for (unsigned array : arrays)
    eraseWrites(kernel.getArgument(array));
  eraseDeadOperations(kernel);
}

bool tile::readsForOutputs(KernelOp kernel, ArrayRef<unsigned> outputs,
                           ArrayRef<unsigned> others) {
  auto copy = cast<KernelOp>(OpBuilder(kernel).clone(*kernel));
  eraseAllWrites(copy, others);
  int64_t all = countReads(copy);
  eraseAllWrites(copy, outputs);
  int64_t withoutOutputs = countReads(copy);
  copy->erase();
  return all != withoutOutputs;
}
