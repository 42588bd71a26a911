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

#include "llvm/ADT/EquivalenceClasses.h"

namespace tile {

/// The products of the same block of whose results elementwise operations, with
/// other tiles perhaps and in branches perhaps, make the lhs.
llvm::SmallVector<ProductOpInterface> getProducers(ProductOpInterface product);

/// The products of a kernel by what they have in common: the results of one are
/// multiplied by another; two read the same load.
class ProductChains {
public:
  ProductChains(KernelOp kernel, const Architecture &architecture);

  /// Whether the product has producers or is one.
  bool isLinked(ProductOpInterface product) const {
    return linked.contains(product);
  }

  /// Whether the product may be one of a warpgroup, and every one that reads
  /// the same loads, whose layout is that of a matrix descriptor for all or for
  /// none.
  bool mayBeWarpgroup(ProductOpInterface product) const;
  /// None of them is.
  void forbidWarpgroup(ProductOpInterface product);

private:
  llvm::DenseSet<mlir::Operation *> linked;
  llvm::EquivalenceClasses<mlir::Operation *> classes;
  llvm::DenseSet<mlir::Operation *> forbidden; ///< leaders of classes
};

/// Whether each thread has its part of the product's lhs in the accumulators
/// of producers with these tilings.
bool hasOperandInAccumulators(ProductOpInterface product, const Tiling &tiling,
                              llvm::ArrayRef<Tiling> producers,
                              int64_t numWarps);

/// The same. @pre the tilings of all are complete.
bool hasOperandInAccumulators(ProductOpInterface product,
                              llvm::ArrayRef<ProductOpInterface> producers,
                              const Architecture &architecture,
                              int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_PRODUCTCHAIN_H
