// StageMarks.cpp - which loads of a loop may run ahead of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageMarks.h"

using namespace mlir;
using namespace tile;

/// Whether a value can be computed an iteration ahead: from the induction
/// variable and values from outside, without side effects.
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

/// Whether an operation of the dialect writes an array, or looks at what other
/// blocks write.
static bool writesArray(MemoryEffectOpInterface op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  op.getEffects<MemoryEffects::Write>(effects);
  return isa<FenceOp>(*op) || llvm::any_of(effects, [](const auto &effect) {
           return effect.getValue() &&
                  isGlobalArray(effect.getValue().getType());
         });
}

static bool writesArrays(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](Operation *op) {
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        bool writes = isa<TileDialect>(op->getDialect())
                          ? effects && writesArray(effects)
                          : !isMemoryEffectFree(op) &&
                                hasEffect<MemoryEffects::Write>(op);
        return writes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

StringRef tile::whyNotAhead(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return "its loop counts by unsigned numbers";
  if (writesArrays(loop))
    return "its loop writes arrays, or looks at what other blocks write";
  return "";
}

bool tile::canRunAhead(scf::ForOp loop) { return whyNotAhead(loop).empty(); }

StringRef tile::whyNotAhead(CopyableOpInterface load, scf::ForOp loop) {
  SharedAttr shared = load.getTileType().getShared();
  if (!shared || !shared.isResolved())
    return "its tile is not in shared memory";
  if (load.getPad())
    return "it has a pad value";
  bool isKnown = llvm::all_of(load.getOffsets(), [&](Value offset) {
    return isKnownAhead(offset, loop);
  });
  return isKnown ? "" : "its offsets are not known an iteration ahead";
}

bool tile::canLoadAhead(CopyableOpInterface load, scf::ForOp loop) {
  return whyNotAhead(load, loop).empty();
}
