// InvariantConversions.cpp - copies that every iteration of a loop repeats
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul in a loop reads an operand that the program computes before the loop
// from shared memory, to which it is copied for each use. Before the loop one
// copy is enough, but its memory is then taken during the whole loop.

#include "InvariantConversions.h"

#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Decisions.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tile;

static int64_t getSharedBytes(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.getShared()
             ? getBufferBytes(type.getShared(),
                              getElementBytes(type.getElementType()))
             : 0;
}

/// Returns the bytes of all tiles in shared memory: enough for any of them to
/// exist at the same time.
static int64_t countSharedBytes(KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      bytes += getSharedBytes(result);
  });
  return bytes;
}

/// Whether an operation copies a tile from registers to shared memory for
/// matmuls: other users may replace elements of the copy.
static bool isOperandCopy(Operation *op) {
  return isPure(op) && op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         isInRegisters(op->getOperand(0)) && isInShared(op->getResult(0)) &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<MatmulOpInterface>);
}

namespace {
/// InvariantConversions moves the conversions of one kernel.
class InvariantConversions {
public:
  explicit InvariantConversions(KernelOp kernel)
      : free(kBytesPerThread * kernel.getLaunchedThreads()) {}

  void hoist(LoopLikeOpInterface loop);

private:
  /// Shared memory that moved tiles take for each thread. With more, a
  /// multiprocessor of sm_90 holds fewer than 900 threads, and one of sm_86
  /// fewer than 400.
  static constexpr int64_t kBytesPerThread = 256;

  bool reserve(Operation *op);

  /// The bytes that further conversions may take.
  int64_t free;
  /// Conversions that were moved out of an inner loop.
  llvm::SmallPtrSet<Operation *, 4> moved;
};
} // namespace

/// Reserves the memory that an operation takes outside of a loop that does not
/// change its operands. Returns false for an operation that stays in the loop.
/// A transpose in registers costs nothing anywhere.
bool InvariantConversions::reserve(Operation *op) {
  if (isa<TransposeOp>(op))
    return isInRegisters(op->getResult(0));
  if (!isOperandCopy(op))
    return false;
  if (moved.contains(op))
    return true;
  int64_t bytes = getSharedBytes(op->getResult(0));
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
      if (llvm::all_of(op.getOperands(), isOutside) && reserve(&op))
        loop.moveOutOfLoop(&op);
}

void tile::hoistInvariantConversions(KernelOp kernel,
                                     const Architecture &architecture) {
  if (countSharedBytes(kernel) > getSharedBytesLimit(kernel, architecture))
    return;
  InvariantConversions conversions(kernel);
  kernel.walk([&](LoopLikeOpInterface loop) { conversions.hoist(loop); });
}
