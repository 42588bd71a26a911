// ProductChain.cpp - products whose operands are other products' results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ProductChain.h"

#include "tile/Analysis/Fragments.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Adds the products that elementwise operations of a block make a tile of.
static void collectProducers(Value tile, Block *block,
                             llvm::SetVector<Operation *> &seen,
                             SmallVectorImpl<MatmulOp> &producers) {
  Operation *op = tile.getDefiningOp();
  if (!op || op->getBlock() != block || !seen.insert(op))
    return;
  if (auto product = dyn_cast<MatmulOp>(op))
    producers.push_back(product);
  else if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      collectProducers(operand, block, seen, producers);
}

SmallVector<MatmulOp> tile::getProducers(MatmulOp product) {
  auto lhs = dyn_cast<TileType>(product.getLhs().getType());
  if (!lhs || lhs.getRank() != 2 || lhs.getShared())
    return {};
  llvm::SetVector<Operation *> seen;
  SmallVector<MatmulOp> producers;
  collectProducers(product.getLhs(), product->getBlock(), seen, producers);
  return producers;
}

ProductChains::ProductChains(KernelOp kernel) {
  kernel.walk([&](MatmulOp product) {
    SmallVector<MatmulOp> producers = getProducers(product);
    if (producers.empty())
      return;
    linked.insert(product);
    linked.insert_range(producers);
  });
}

bool tile::hasOperandInAccumulators(MatmulOp product,
                                    ArrayRef<MatmulOp> producers,
                                    const Architecture &architecture,
                                    int64_t numWarps) {
  Tiling tiling = getTiling(product, architecture);
  if (tiling.instruction->isFma() || tiling.instruction->isWarpgroup())
    return false;
  RegisterLayout operand =
      getFragmentLayout(tiling, /*operand=*/0, product.getK(), numWarps);
  return llvm::all_of(producers, [&](MatmulOp producer) {
    return getAccumulatorLayout(getTiling(producer, architecture), numWarps)
        .findValues(operand)
        .has_value();
  });
}
