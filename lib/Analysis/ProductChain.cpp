// ProductChain.cpp - matmuls whose operands are results of other matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ProductChain.h"

#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/WarpgroupProduct.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

namespace {
/// Finds the matmuls from which elementwise operations and branches of a block,
/// and operations in their regions, make a tile.
class ProducerSearch {
public:
  explicit ProducerSearch(Block *block) : block(block) {}

  void visit(Value tile) {
    Operation *op = tile.getDefiningOp();
    if (!op || !block->findAncestorOpInBlock(*op) || !seen.insert(tile).second)
      return;
    if (auto product = dyn_cast<ProductOpInterface>(op)) {
      if (op->getBlock() == block)
        producers.insert(product);
    } else if (op->hasTrait<OpTrait::Elementwise>()) {
      llvm::for_each(op->getOperands(), [&](Value value) { visit(value); });
    } else if (isa<RegionBranchOpInterface>(op) &&
               !isa<LoopLikeOpInterface>(op)) {
      visitBranches(op, cast<OpResult>(tile).getResultNumber());
    }
  }

  SmallVector<ProductOpInterface> getProducers() const {
    return llvm::map_to_vector(
        producers, [](Operation *op) { return cast<ProductOpInterface>(op); });
  }

private:
  /// Visits the value that each region yields as a result.
  void visitBranches(Operation *op, unsigned number) {
    for (Region &region : op->getRegions())
      if (!region.empty() && region.back().getTerminator()->getNumOperands() ==
                                 op->getNumResults())
        visit(region.back().getTerminator()->getOperand(number));
  }

  Block *block;
  llvm::DenseSet<Value> seen;
  llvm::SetVector<Operation *> producers;
};
} // namespace

SmallVector<ProductOpInterface> tile::getProducers(ProductOpInterface product) {
  auto lhs = dyn_cast<TileType>(product.getLhs().getType());
  if (!lhs || lhs.getRank() != 2 || lhs.getShared())
    return {};
  ProducerSearch search(product->getBlock());
  search.visit(product.getLhs());
  return search.getProducers();
}

/// Returns the load that an operand is, possibly transposed.
static Operation *findLoad(Value operand) {
  while (auto transpose = operand.getDefiningOp<TransposeOp>())
    operand = transpose.getSource();
  return operand.getDefiningOp<LoadOp>();
}

ProductChains::ProductChains(KernelOp kernel,
                             const Architecture &architecture) {
  llvm::DenseMap<Operation *, Operation *> readers;
  kernel.walk([&](ProductOpInterface product) {
    classes.insert(product);
    for (Value operand : {product.getLhs(), product.getRhs()})
      if (Operation *load = findLoad(operand))
        classes.unionSets(readers.try_emplace(load, product).first->second,
                          product);
    SmallVector<ProductOpInterface> producers = getProducers(product);
    if (!producers.empty())
      linked.insert(product);
    linked.insert_range(producers);
  });
  for (const auto *member : classes) {
    auto product = cast<ProductOpInterface>(member->getData());
    if (!explainNoWarpgroup(product).empty() ||
        !isWorthWarpgroup(product, architecture.costs))
      forbidWarpgroup(product);
  }
}

bool ProductChains::mayBeWarpgroup(ProductOpInterface product) const {
  return !forbidden.contains(classes.getLeaderValue(product));
}

void ProductChains::forbidWarpgroup(ProductOpInterface product) {
  forbidden.insert(classes.getLeaderValue(product));
}

bool tile::hasOperandInAccumulators(ProductOpInterface product,
                                    const Tiling &tiling,
                                    ArrayRef<Tiling> producers,
                                    int64_t numWarps) {
  if (tiling.instruction->isFma() ||
      (tiling.instruction->isWarpgroup() && !canHaveLhsInRegisters(product)))
    return false;
  RegisterLayout operand =
      getFragmentLayout(tiling, /*operand=*/0, product.getK(), numWarps);
  return llvm::all_of(producers, [&](const Tiling &producer) {
    return getAccumulatorLayout(producer, numWarps)
        .findValues(operand)
        .has_value();
  });
}

bool tile::hasOperandInAccumulators(ProductOpInterface product,
                                    ArrayRef<ProductOpInterface> producers,
                                    const Architecture &architecture,
                                    int64_t numWarps) {
  auto tilings =
      llvm::map_to_vector(producers, [&](ProductOpInterface producer) {
        return getTiling(producer, architecture);
      });
  return hasOperandInAccumulators(product, getTiling(product, architecture),
                                  tilings, numWarps);
}
