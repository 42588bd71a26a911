// ProductChain.cpp - products whose operands are other products' results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ProductChain.h"

#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/WarpgroupProduct.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Adds the products that elementwise operations of a block make a tile of.
static void collectProducers(Value tile, Block *block,
                             llvm::SetVector<Operation *> &seen,
                             SmallVectorImpl<ProductOpInterface> &producers) {
  Operation *op = tile.getDefiningOp();
  if (!op || op->getBlock() != block || !seen.insert(op))
    return;
  if (auto product = dyn_cast<ProductOpInterface>(op))
    producers.push_back(product);
  else if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      collectProducers(operand, block, seen, producers);
}

SmallVector<ProductOpInterface> tile::getProducers(ProductOpInterface product) {
  auto lhs = dyn_cast<TileType>(product.getLhs().getType());
  if (!lhs || lhs.getRank() != 2 || lhs.getShared())
    return {};
  llvm::SetVector<Operation *> seen;
  SmallVector<ProductOpInterface> producers;
  collectProducers(product.getLhs(), product->getBlock(), seen, producers);
  return producers;
}

/// The load that an operand is, transposed perhaps.
static Operation *findLoad(Value operand) {
  while (auto transpose = operand.getDefiningOp<TransposeOp>())
    operand = transpose.getSource();
  return operand.getDefiningOp<LoadOp>();
}

ProductChains::ProductChains(KernelOp kernel) {
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
  for (const auto *member : classes)
    if (!explainNoWarpgroup(cast<ProductOpInterface>(member->getData()))
             .empty())
      forbidWarpgroup(cast<ProductOpInterface>(member->getData()));
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
