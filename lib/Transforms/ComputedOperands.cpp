// ComputedOperands.cpp - operands of matmuls that are computed from loads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputedOperands.h"

#include "tile/Analysis/InstructionEligibility.h"
#include "tile/Analysis/InstructionTable.h"
#include "tile/Analysis/MatmulChain.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

static MatrixInstructionAttrInterface
pickOrChoose(MatmulOpInterface op, const Architecture &architecture) {
  MatrixInstructionAttrInterface instruction =
      pickInstruction(op, architecture);
  // An unknown name is refused when the matmul is tiled.
  return instruction ? instruction : chooseInstruction(op, architecture);
}

static bool isCopyable(CopyableOpInterface load, Block *block) {
  return load && load->getBlock() == block && !load.getPad() &&
         !load.getTileType().getStorage();
}

namespace {
/// The operations that compute one operand, in its matmul's block.
struct Computation {
  OpOperand &operand;
  llvm::SetVector<Operation *> ops;
  SmallVector<CopyableOpInterface> loads;

  Block *getBlock() { return operand.getOwner()->getBlock(); }
  bool collect(Value value);
  bool isAlone();
};
} // namespace

/// Adds the operations that compute a tile. Returns false if the tile is not
/// computed from loaded tiles by elementwise operations only.
bool Computation::collect(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || cast<TileType>(value.getType()).getStorage())
    return false;
  if (isMadeAnywhere(op))
    return true;
  if (op->getBlock() != getBlock())
    return false;
  if (!ops.insert(op))
    return true;
  if (auto load = dyn_cast<CopyableOpInterface>(op)) {
    loads.push_back(load);
    return isCopyable(load, getBlock());
  }
  if (isAlias(op) && getPlacement(op->getOpOperand(0)) == Placement::alias)
    return op->getOperand(0).getDefiningOp<CopyableOpInterface>() &&
           collect(op->getOperand(0));
  return op->hasTrait<OpTrait::Elementwise>() &&
         llvm::all_of(op->getOperands(), [&](Value value) {
           return !isa<TileType>(value.getType()) || collect(value);
         });
}

/// Whether the results of the operations are used for the operand only, apart
/// from uses that only observe them.
bool Computation::isAlone() {
  return llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(op->getUses(), [&](OpOperand &use) {
      return &use == &operand || ops.contains(use.getOwner()) ||
             getPlacement(use) == Placement::observed;
    });
  });
}

/// Returns the load of the tile that `broadcast` repeats, if the load runs in
/// each iteration of the matmul's loop and has no other use; null if there is
/// none.
static CopyableOpInterface getRepeatedLoad(BroadcastOp broadcast,
                                           Block *block) {
  Value value = broadcast.getSource();
  while (auto convert = value.getDefiningOp<CastOp>()) {
    if (!value.hasOneUse() || convert.getType().getStorage())
      return {};
    value = convert.getSource();
  }
  auto load = value.getDefiningOp<CopyableOpInterface>();
  bool isInLoop = isa<scf::ForOp>(block->getParentOp());
  return isInLoop && value.hasOneUse() && isCopyable(load, block)
             ? load
             : CopyableOpInterface();
}

/// Whether each thread has its elements of the operand in the accumulators of
/// other matmuls.
static bool isInAccumulators(OpOperand &operand) {
  auto matmul = cast<MatmulOpInterface>(operand.getOwner());
  if (operand.getOperandNumber() != 0 || !hasCompleteTiling(matmul))
    return false;
  SmallVector<MatmulOpInterface> producers = getProducers(matmul);
  return !producers.empty() &&
         hasOperandInAccumulators(matmul, producers,
                                  getParticipants(matmul).numWarps);
}

ComputedOperands::ComputedOperands(KernelOp kernel,
                                   const Architecture &architecture) {
  kernel.walk([&](MatmulOpInterface matmul) {
    MatrixInstructionAttrInterface instruction =
        pickOrChoose(matmul, architecture);
    if (!instruction.hasFragments())
      return;
    for (int index : {0, 1}) {
      OpOperand *operand = &matmul->getOpOperand(index);
      if (isInAccumulators(*operand)) {
        operands.insert(operand);
        continue;
      }
      bool isRoundedLhs = index == 0 && isRounded(matmul);
      if (instruction.readsDescriptors() && !isRoundedLhs)
        continue;
      Operation *root = operand->get().getDefiningOp();
      Computation computation{*operand, {}, {}};
      if (!root || !root->hasTrait<OpTrait::Elementwise>() ||
          !computation.collect(operand->get()) || !computation.isAlone())
        continue;
      operands.insert(operand);
      for (CopyableOpInterface load : computation.loads)
        sources.insert(load);
      for (Operation *op : computation.ops)
        for (Value value : op->getOperands())
          if (auto broadcast = value.getDefiningOp<BroadcastOp>())
            if (auto load = getRepeatedLoad(broadcast, matmul->getBlock()))
              sources.insert(load);
    }
  });
}
