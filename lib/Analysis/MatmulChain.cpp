// MatmulChain.cpp - matmuls whose operands are results of other matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/MatmulChain.h"

#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/InstructionEligibility.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

namespace {
/// Finds the matmuls in a block from whose results a tile is computed by
/// elementwise operations and branches of that block, including operations in
/// the branches.
class ProducerSearch {
public:
  explicit ProducerSearch(Block *block) : block(block) {}

  void visit(Value tile) {
    Operation *op = tile.getDefiningOp();
    if (!op || !block->findAncestorOpInBlock(*op) || !seen.insert(tile).second)
      return;
    if (auto matmul = dyn_cast<MatmulOpInterface>(op)) {
      if (op->getBlock() == block)
        producers.insert(matmul);
    } else if (op->hasTrait<OpTrait::Elementwise>()) {
      llvm::for_each(op->getOperands(), [&](Value value) { visit(value); });
    } else if (isa<RegionBranchOpInterface>(op) &&
               !isa<LoopLikeOpInterface>(op)) {
      visitBranches(op, cast<OpResult>(tile).getResultNumber());
    }
  }

  SmallVector<MatmulOpInterface> getProducers() const {
    return llvm::map_to_vector(
        producers, [](Operation *op) { return cast<MatmulOpInterface>(op); });
  }

private:
  /// Visits the value that each region of `op` yields as result `index`.
  void visitBranches(Operation *op, unsigned index) {
    for (Region &region : op->getRegions())
      if (!region.empty() && region.back().getTerminator()->getNumOperands() ==
                                 op->getNumResults())
        visit(region.back().getTerminator()->getOperand(index));
  }

  Block *block;
  llvm::DenseSet<Value> seen;
  llvm::SetVector<Operation *> producers;
};
} // namespace

bool tile::isMadeAnywhere(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<Rematerializable>() || isa<BroadcastOp>(op);
}

SmallVector<MatmulOpInterface> tile::getProducers(MatmulOpInterface matmul) {
  auto lhs = dyn_cast<TileType>(matmul.getLhs().getType());
  if (!lhs || lhs.getRank() != 2 || lhs.getShared())
    return {};
  ProducerSearch search(matmul->getBlock());
  search.visit(matmul.getLhs());
  return search.getProducers();
}

/// Returns the operation that loads or computes an operand, directly or through
/// transposes; null if several matmuls need not agree on it.
static Operation *findSource(Value operand) {
  while (auto transpose = operand.getDefiningOp<TransposeOp>())
    operand = transpose.getSource();
  Operation *op = operand.getDefiningOp();
  bool isSource = op && (isa<CopyableOpInterface>(op) ||
                         (op->hasTrait<OpTrait::Elementwise>() &&
                          !op->hasTrait<OpTrait::ConstantLike>()));
  return isSource ? op : nullptr;
}

MatmulChains::MatmulChains(KernelOp kernel, const Architecture &architecture) {
  llvm::DenseMap<Operation *, Operation *> readers;
  kernel.walk([&](MatmulOpInterface matmul) {
    classes.insert(matmul);
    for (Value operand : {matmul.getLhs(), matmul.getRhs()})
      if (Operation *source = findSource(operand))
        classes.unionSets(readers.try_emplace(source, matmul).first->second,
                          matmul);
    SmallVector<MatmulOpInterface> producers = getProducers(matmul);
    if (!producers.empty())
      linked.insert(matmul);
    linked.insert_range(producers);
  });
  for (const auto *member : classes) {
    auto matmul = cast<MatmulOpInterface>(member->getData());
    if (!explainNoDescriptors(matmul).empty() ||
        !isWorthDescriptors(matmul, architecture.costs))
      forbidDescriptors(matmul);
  }
}

bool MatmulChains::mayReadDescriptors(MatmulOpInterface matmul) const {
  return !forbidden.contains(classes.getLeaderValue(matmul));
}

void MatmulChains::forbidDescriptors(MatmulOpInterface matmul) {
  forbidden.insert(classes.getLeaderValue(matmul));
}

bool tile::hasOperandInAccumulators(MatmulOpInterface matmul,
                                    const Tiling &tiling,
                                    ArrayRef<Tiling> producers,
                                    int64_t numWarps) {
  if (!tiling.instruction.hasFragments() ||
      (tiling.instruction.readsDescriptors() && !canHaveLhsInRegisters(matmul)))
    return false;
  RegisterLayout operand =
      getFragmentLayout(tiling, /*operand=*/0, matmul.getK(), numWarps);
  return llvm::all_of(producers, [&](const Tiling &producer) {
    return getAccumulatorLayout(producer, numWarps)
        .findValues(operand)
        .has_value();
  });
}

bool tile::hasOperandInAccumulators(MatmulOpInterface matmul,
                                    ArrayRef<MatmulOpInterface> producers,
                                    int64_t numWarps) {
  auto tilings =
      llvm::map_to_vector(producers, [&](MatmulOpInterface producer) {
        return getTiling(producer);
      });
  return hasOperandInAccumulators(matmul, getTiling(matmul), tilings, numWarps);
}
