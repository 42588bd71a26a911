// MatmulChain.h - matmuls whose operands are results of other matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulators of one matmul are, except for their type, the lhs that a
// lane multiplies in the next one. If each warp has whole rows of both and only
// elementwise operations lie between them, the result stays in registers.
// Attention and layers of a network are such chains.

#ifndef TILE_ANALYSIS_MATMULCHAIN_H
#define TILE_ANALYSIS_MATMULCHAIN_H

#include "tile/Analysis/Tiling.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace tile {

/// Returns the matmuls of the same block from whose results elementwise
/// operations make the lhs, possibly with other tiles and in branches.
llvm::SmallVector<MatmulOpInterface> getProducers(MatmulOpInterface matmul);

/// Classes of the matmuls of a kernel that depend on each other: one multiplies
/// the results of another, or two read the same load.
class MatmulChains {
public:
  MatmulChains(KernelOp kernel, const Architecture &architecture);

  /// Whether the matmul has producers or is one.
  bool isLinked(MatmulOpInterface matmul) const {
    return linked.contains(matmul);
  }

  /// Whether the matmul may be one of a warpgroup. All matmuls that read the
  /// same loads must agree, since the layout of a load is that of a matrix
  /// descriptor for all or for none of them.
  bool mayBeWarpgroup(MatmulOpInterface matmul) const;
  /// Forbids a warpgroup for the matmul and all others of its class.
  void forbidWarpgroup(MatmulOpInterface matmul);

private:
  llvm::DenseSet<mlir::Operation *> linked;
  llvm::EquivalenceClasses<mlir::Operation *> classes;
  llvm::DenseSet<mlir::Operation *> forbidden; ///< leaders of classes
};

/// Whether each thread has its part of the matmul's lhs in the accumulators of
/// producers with these tilings.
bool hasOperandInAccumulators(MatmulOpInterface matmul, const Tiling &tiling,
                              llvm::ArrayRef<Tiling> producers,
                              int64_t numWarps);

/// Whether each thread has its part of the matmul's lhs in the accumulators of
/// `producers`, with the tilings that the operations have. @pre these tilings
/// are complete.
bool hasOperandInAccumulators(MatmulOpInterface matmul,
                              llvm::ArrayRef<MatmulOpInterface> producers,
                              const Architecture &architecture,
                              int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_MATMULCHAIN_H
