// StageMarks.cpp - the loads of a loop that may run ahead of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageMarks.h"

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/ConvertedLoad.h"

using namespace mlir;
using namespace tile;

/// Whether a value can be computed an iteration ahead: it depends only on the
/// induction variable and on values from outside the loop, by pure operations.
static bool isKnownAhead(Value value, scf::ForOp loop) {
  if (!loop.getRegion().isAncestor(value.getParentRegion()) ||
      value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && isPure(op) &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isKnownAhead(operand, loop);
         });
}

/// Whether a value is an argument of the kernel: arrays that are arguments do
/// not overlap (the kernel ABI).
static bool isArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && isa<KernelOp>(argument.getOwner()->getParentOp());
}

/// Whether an operation may read data that other blocks write, or order their
/// writes.
static bool isOrdered(Operation *op) {
  auto access = dyn_cast<ArrayAccessOpInterface>(op);
  return isa<FenceOp>(op) || (access && access.isPerElement());
}

namespace {
/// The arrays that a loop writes.
struct WrittenArrays {
  explicit WrittenArrays(scf::ForOp loop) {
    loop.getBody()->walk([&](Operation *op) { add(op); });
  }

  void add(Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    bool isTile = isTileOperation(op);
    SmallVector<MemoryEffects::EffectInstance> writes;
    if (effects)
      effects.getEffects<MemoryEffects::Write>(writes);
    areUnknown |=
        isOrdered(op) || (!isTile && !effects && !isMemoryEffectFree(op) &&
                          hasEffect<MemoryEffects::Write>(op));
    for (const MemoryEffects::EffectInstance &write : writes) {
      Value value = write.getValue();
      bool isArray = value && isGlobalArray(value.getType());
      if (isArray && isArgument(getMemoryRoot(value)))
        arrays.insert(getMemoryRoot(value));
      else // Other writes by an operation of the dialect are not to arrays.
        areUnknown |= isArray || !isTile;
    }
  }

  bool areUnknown = false;
  llvm::SmallPtrSet<Value, 4> arrays;
};
} // namespace

StringRef tile::whyNotAhead(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return "its loop counts by unsigned numbers";
  if (WrittenArrays(loop).areUnknown)
    return "its loop may write any array, or looks at what other blocks write";
  return "";
}

bool tile::canRunAhead(scf::ForOp loop) { return whyNotAhead(loop).empty(); }

bool tile::mayWrite(scf::ForOp loop, Value array) {
  Value root = getMemoryRoot(array);
  WrittenArrays written(loop);
  return written.areUnknown || written.arrays.contains(root) ||
         (!written.arrays.empty() && !isArgument(root));
}

Value tile::getStagedTile(CopyableOpInterface load) {
  if (load.getTileType().getShared())
    return load.getAccessedTile();
  ConvertLayoutOp copy = getStoredCopy(load);
  return copy && copy->getBlock() == load->getBlock() ? copy.getResult()
                                                      : Value();
}

/// Returns the reason why a load cannot read its array an iteration ahead;
/// empty if it can.
static StringRef whyNotMoved(CopyableOpInterface load, scf::ForOp loop) {
  if (load.getPad())
    return "it has a pad value";
  if (!loop.isDefinedOutsideOfLoop(load.getArray()))
    return "its array is a view that the loop makes";
  if (mayWrite(loop, load.getArray()))
    return "its loop writes its array";
  bool isKnown = llvm::all_of(load.getOffsets(), [&](Value offset) {
    return isKnownAhead(offset, loop);
  });
  return isKnown ? "" : "its offsets are not known an iteration ahead";
}

StringRef tile::whyNotAhead(CopyableOpInterface load, scf::ForOp loop) {
  Value tile = getStagedTile(load);
  if (!tile || !cast<TileType>(tile.getType()).getShared().isResolved())
    return "its tile is not in shared memory";
  if (StringRef reason = whyNotMoved(load, loop); !reason.empty())
    return reason;
  if (std::optional<ConvertedLoad> stored = findStoredLoad(tile))
    for (CopyableOpInterface repeated : stored->repeated)
      if (!whyNotMoved(repeated, loop).empty())
        return "a load that it is combined with cannot be begun ahead";
  return "";
}

bool tile::canLoadAhead(CopyableOpInterface load, scf::ForOp loop) {
  return whyNotAhead(load, loop).empty();
}

bool tile::isSumOf(MatmulOpInterface op, scf::ForOp loop) {
  auto acc = dyn_cast<BlockArgument>(op.getAcc());
  if (!acc || acc.getOwner() != loop.getBody() || acc.getArgNumber() == 0 ||
      !acc.hasOneUse() || !op->getResult(0).hasOneUse())
    return false;
  OpOperand &use = *op->getResult(0).use_begin();
  return use.getOwner() == loop.getBody()->getTerminator() &&
         use.getOperandNumber() + 1 == acc.getArgNumber();
}
