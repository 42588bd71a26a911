// SinkWaits.cpp - moving of waits after the copies that follow them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %d, %token = tile_gpu.mma_async %a, %b, %c                   before
//   %sum = tile_gpu.mma_wait %token in_flight 0 of %d
//   tile_gpu.copy_async ...
//   nvvm.cp.async.commit.group
//   scf.yield %sum
//
//   %d, %token = tile_gpu.mma_async %a, %b, %c                   after
//   tile_gpu.copy_async ...
//   nvvm.cp.async.commit.group
//   %sum = tile_gpu.mma_wait %token in_flight 0 of %d
//   scf.yield %sum
//
// A wait for copies is not needed if a later wait includes it:
//
//   tile_gpu.copy_async %x to %a                                 before
//   nvvm.cp.async.commit.group
//   nvvm.cp.async.wait.group 0
//   tile_gpu.copy_async %y to %b
//   nvvm.cp.async.commit.group
//   scf.for { nvvm.cp.async.wait.group 0 ... }
//   nvvm.cp.async.wait.group 0
//
//   tile_gpu.copy_async %x to %a                                 after
//   nvvm.cp.async.commit.group
//   tile_gpu.copy_async %y to %b
//   nvvm.cp.async.commit.group
//   scf.for { nvvm.cp.async.wait.group 0 ... }
//   nvvm.cp.async.wait.group 0

#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {
#define GEN_PASS_DEF_SINKWAITS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Whether a wait may be moved after `op`, if `op` does not use a result of the
/// wait.
static bool canPass(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0)
    return false;
  return op->hasTrait<AsyncCopy>() ||
         isa<NVVM::CpAsyncCommitGroupOp, memref::AllocOp>(op) ||
         isMemoryEffectFree(op);
}

static void sink(tile_gpu::MmaWaitOp wait) {
  Operation *next = wait->getNextNode();
  while (canPass(next) && !llvm::is_contained(wait->getUsers(), next))
    next = next->getNextNode();
  wait->moveBefore(next);
}

namespace {
/// A position after a wait for copies, with the number of newest groups that
/// the wait would leave in flight if it were moved there.
struct Position {
  Operation *op;
  int64_t newest;
};
} // namespace

/// Moves the position past all operations that the wait may be moved after:
/// returns the position before the first one that it may not pass.
static Position passCopies(Position position) {
  while (canPass(position.op)) {
    position.newest += isa<NVVM::CpAsyncCommitGroupOp>(position.op);
    position.op = position.op->getNextNode();
  }
  return position;
}

/// Whether a later wait waits for at least the same copies, and nothing between
/// the two waits reads memory.
static bool isWaitedFor(Position position) {
  position = passCopies(position);
  if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(position.op))
    return wait.getN() <= position.newest;
  // A loop may have no iterations, so both its body and the operations after it
  // must have such a wait.
  auto loop = dyn_cast<scf::ForOp>(position.op);
  return loop && isWaitedFor({&loop.getBody()->front(), position.newest}) &&
         isWaitedFor({loop->getNextNode(), position.newest});
}

static void sink(NVVM::CpAsyncWaitGroupOp wait) {
  Position next{wait->getNextNode(), static_cast<int64_t>(wait.getN())};
  if (isWaitedFor(next))
    return wait.erase();
  Position position = passCopies(next);
  wait->moveBefore(position.op);
  wait.setN(position.newest);
}

namespace {
struct SinkWaits : tile::impl::SinkWaitsBase<SinkWaits> {
  using SinkWaitsBase::SinkWaitsBase;

  void runOnOperation() override {
    SmallVector<tile_gpu::MmaWaitOp> matmuls;
    SmallVector<NVVM::CpAsyncWaitGroupOp> copies;
    getOperation().walk([&](Operation *op) {
      if (auto wait = dyn_cast<tile_gpu::MmaWaitOp>(op))
        matmuls.push_back(wait);
      else if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op))
        copies.push_back(wait);
    });
    for (auto wait : matmuls)
      sink(wait);
    for (auto wait : copies)
      sink(wait);
  }
};
} // namespace
