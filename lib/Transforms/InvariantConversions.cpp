// InvariantConversions.cpp - copies that every iteration of a loop repeats
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul in a loop reads an operand that the program computes before the loop
// from shared memory, to which it is copied for each use. Before the loop one
// copy is enough, but its memory is then taken during the whole loop.

#include "InvariantConversions.h"

#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Decisions.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tile;

namespace {
/// InvariantConversions moves the conversions of one kernel.
class InvariantConversions {
public:
  explicit InvariantConversions(KernelOp kernel)
      : free(kBytesPerThread * kernel.getLaunchedThreads()) {}

  void hoist(LoopLikeOpInterface loop);

private:
  /// Shared memory that moved tiles take for each thread: at most that of 900
  /// threads fits a multiprocessor of 228 KiB.
  static constexpr int64_t kBytesPerThread = 256;

  bool canMove(Operation *op);

  /// Bytes that more conversions may take.
  int64_t free;
  /// Conversions that were moved out of an inner loop.
  llvm::SmallPtrSet<Operation *, 4> moved;
};
} // namespace

static bool isConversionToShared(Operation *op) {
  return isPure(op) && op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         isInRegisters(op->getOperand(0)) && isInShared(op->getResult(0));
}

/// Whether a loop need not contain an operation whose operands it does not
/// change. A transpose in registers costs nothing anywhere.
bool InvariantConversions::canMove(Operation *op) {
  if (isa<TransposeOp>(op))
    return isInRegisters(op->getResult(0));
  if (!isConversionToShared(op))
    return false;
  if (moved.contains(op))
    return true;
  auto type = cast<TileType>(op->getResult(0).getType());
  int64_t bytes =
      getBufferBytes(type.getShared(), getElementBytes(type.getElementType()));
  if (bytes > free)
    return false;
  free -= bytes;
  moved.insert(op);
  recordDecision(op, "copy", "before the loop",
                 "the loop does not change the tile");
  return true;
}

void InvariantConversions::hoist(LoopLikeOpInterface loop) {
  auto isOutside = [&](Value value) {
    return loop.isDefinedOutsideOfLoop(value);
  };
  for (Region *region : loop.getLoopRegions())
    for (Operation &op : llvm::make_early_inc_range(region->getOps()))
      if (llvm::all_of(op.getOperands(), isOutside) && canMove(&op))
        loop.moveOutOfLoop(&op);
}

void tile::hoistInvariantConversions(KernelOp kernel) {
  InvariantConversions conversions(kernel);
  kernel.walk([&](LoopLikeOpInterface loop) { conversions.hoist(loop); });
}
