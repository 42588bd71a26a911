// SinkWaits.cpp - waits for products behind the copies that follow them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %d, %token = tile.mma_async %a, %b, %c                   before
//   %sum = tile.mma_wait %token in_flight 0 of %d
//   tile.copy_async ...
//   nvvm.cp.async.commit.group
//   scf.yield %sum
//
//   %d, %token = tile.mma_async %a, %b, %c                   after
//   tile.copy_async ...
//   nvvm.cp.async.commit.group
//   %sum = tile.mma_wait %token in_flight 0 of %d
//   scf.yield %sum

#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tile {
#define GEN_PASS_DEF_SINKWAITS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Whether the wait may come behind the next operation.
static bool canPass(Operation *wait, Operation *next) {
  if (llvm::is_contained(wait->getUsers(), next) ||
      next->hasTrait<OpTrait::IsTerminator>() || next->getNumRegions() != 0)
    return false;
  return next->hasTrait<AsyncCopy>() || isa<NVVM::CpAsyncCommitGroupOp>(next) ||
         isMemoryEffectFree(next);
}

static void sink(Operation *wait) {
  Operation *next = wait->getNextNode();
  while (canPass(wait, next))
    next = next->getNextNode();
  wait->moveBefore(next);
}

namespace {
struct SinkWaits : tile::impl::SinkWaitsBase<SinkWaits> {
  using SinkWaitsBase::SinkWaitsBase;

  void runOnOperation() override {
    SmallVector<Operation *> waits;
    getOperation().walk([&](MmaWaitOp wait) { waits.push_back(wait); });
    for (Operation *wait : waits)
      sink(wait);
  }
};
} // namespace
