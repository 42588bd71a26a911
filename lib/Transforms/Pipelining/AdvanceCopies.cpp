// AdvanceCopies.cpp - copies outside of loops run ahead of matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that multiplies several times in a row loads each operand where it
// needs it, as the layers of a network do their weights, and would wait for
// global memory each time. Such a load, if it is copied to shared memory, moves
// up to before the matmuls between which it stands. Loops have their own way
// (-tile-assign-stages).

#include "SharedRoom.h"

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tile {
#define GEN_PASS_DEF_ADVANCECOPIES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Whether a value is an array of the launch.
static bool isArgument(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<KernelOp>(argument.getOwner()->getParentOp());
}

/// Whether a load of `array` may be made before `op` instead of after it: `op`
/// only reads, or only writes other arrays. One that does both is atomic, and
/// may order accesses. Arrays of a launch do not overlap where one is written.
static bool commutes(Operation *op, Value array) {
  if (op->getNumRegions() != 0)
    return false;
  if (isMemoryEffectFree(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  bool reads = false, writes = false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
    Value root = effect.getValue() ? getMemoryRoot(effect.getValue()) : Value();
    if (!root || (isWrite && (root == array || !isArgument(root))))
      return false;
    reads |= !isWrite;
    writes |= isWrite;
  }
  return !(reads && writes);
}

/// Returns the matmuls above a copy that it commutes with, and with all
/// operations between, the lowest one first.
static SmallVector<Operation *> listMatmuls(CopyableOpInterface copy) {
  SmallVector<Operation *> matmuls;
  Value array = getMemoryRoot(copy.getArray());
  if (!isArgument(array))
    return matmuls;
  for (Operation *op = copy->getPrevNode(); op && commutes(op, array);
       op = op->getPrevNode())
    if (isa<MatmulOpInterface>(op))
      matmuls.push_back(op);
  return matmuls;
}

/// Returns the operations from `first` on that compute the operands of a copy,
/// and the copy, in their order; an empty list if one of them is a matmul, or
/// may not be moved.
static SmallVector<Operation *> listSlice(CopyableOpInterface copy,
                                          Operation *first) {
  SmallPtrSet<Operation *, 8> slice;
  SmallVector<Operation *> open = {copy};
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    bool isMovable = op == copy || (isPure(op) && op->getNumRegions() == 0 &&
                                    !isa<MatmulOpInterface>(op));
    if (!isMovable)
      return {};
    if (!slice.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *definer = operand.getDefiningOp();
          definer && definer->getBlock() == copy->getBlock() &&
          !definer->isBeforeInBlock(first))
        open.push_back(definer);
  }
  SmallVector<Operation *> ordered(slice.begin(), slice.end());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

/// Moves a copy to before the highest matmul for which this is possible.
static void advance(CopyableOpInterface copy) {
  SmallVector<Operation *> matmuls = listMatmuls(copy);
  for (Operation *matmul : llvm::reverse(matmuls)) {
    SmallVector<Operation *> slice = listSlice(copy, matmul);
    for (Operation *op : slice)
      op->moveBefore(matmul);
    if (!slice.empty())
      return;
  }
}

/// Returns the bytes of a tile whose layout in registers an operation changes;
/// zero for other operations.
static int64_t countExchanged(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return 0;
  auto from = dyn_cast<TileType>(op->getOperand(0).getType());
  auto to = dyn_cast<TileType>(op->getResult(0).getType());
  bool isExchange = from && to && from != to && from.getRegister() &&
                    to.getRegister() && from.getShape() == to.getShape() &&
                    from.getElementType() == to.getElementType();
  return isExchange ? getElementBytes(to.getElementType()) * to.getNumElements()
                    : 0;
}

/// Whether all shared tiles of a kernel have layouts.
static bool hasSharedLayouts(KernelOp kernel) {
  return !kernel
              .walk([](Operation *op) {
                return WalkResult(
                    success(llvm::all_of(op->getResults(), [](Value result) {
                      return !isInShared(result) ||
                             cast<TileType>(result.getType())
                                 .getShared()
                                 .isResolved();
                    })));
              })
              .wasInterrupted();
}

/// Returns the bytes of all shared tiles of a kernel, as if all were live at
/// the same time, with those of the largest exchange between threads.
static int64_t countSharedBytes(KernelOp kernel) {
  constexpr int64_t kReductions = 4096; // at most 128 bytes of each warp
  int64_t bytes = 0, exchange = kReductions;
  kernel.walk([&](Operation *op) {
    exchange = std::max(exchange, countExchanged(op));
    for (Value result : op->getResults()) {
      if (!isInShared(result) || isAlias(op))
        continue;
      bytes += getTileBytes(result);
    }
  });
  return bytes + exchange;
}

/// Returns the shared memory of a block of which a multiprocessor holds as many
/// as registers allow, if a thread has 128, and as the program requests.
static int64_t getRoom(KernelOp kernel, const Architecture &architecture) {
  int64_t blocks = getBlocksByRegisters(kernel, architecture);
  return std::min(getSharedBytesLimit(architecture, blocks),
                  getSharedBytesLimit(kernel, architecture));
}

namespace {
struct AdvanceCopies : tile::impl::AdvanceCopiesBase<AdvanceCopies> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture)
      return signalPassFailure();
    if (!kernel.getBlock() || !hasSharedLayouts(kernel))
      return;
    SmallVector<CopyableOpInterface> copies;
    kernel.walk([&](CopyableOpInterface copy) {
      if (isInShared(copy.getAccessedTile()) &&
          !copy->getParentOfType<LoopLikeOpInterface>())
        copies.push_back(copy);
    });
    if (copies.empty() ||
        countSharedBytes(kernel) > getRoom(kernel, *architecture))
      return;
    llvm::for_each(copies, advance);
  }
};
} // namespace
