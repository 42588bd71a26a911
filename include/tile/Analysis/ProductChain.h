// ProductChain.h - products whose operands are other products' results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulators of one product are, type aside, what a lane multiplies as
// lhs in the next: where each warp has whole rows of both, a result that only
// elementwise operations lie behind stays in registers. Attention and layers of
// a network are such chains.

#ifndef TILE_ANALYSIS_PRODUCTCHAIN_H
#define TILE_ANALYSIS_PRODUCTCHAIN_H

#include "tile/Analysis/Tiling.h"

namespace tile {

/// The products of the same block of whose results elementwise operations, with
/// other tiles perhaps, make the lhs.
llvm::SmallVector<MatmulOp> getProducers(MatmulOp product);

/// Products that have producers or are some.
class ProductChains {
public:
  explicit ProductChains(KernelOp kernel);

  bool isLinked(MatmulOp product) const { return linked.contains(product); }

private:
  llvm::DenseSet<mlir::Operation *> linked;
};

/// Whether each thread has its part of the product's lhs in the accumulators
/// of the producers. @pre their tilings are complete.
bool hasOperandInAccumulators(MatmulOp product,
                              llvm::ArrayRef<MatmulOp> producers,
                              const Architecture &architecture,
                              int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_PRODUCTCHAIN_H
