// MatmulChain.h - matmuls whose operands are results of other matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a chain of matmuls, the accumulators of one matmul are the lhs of the next
// one, apart from their type. If each warp has whole rows of both matmuls, and
// only elementwise operations lie between them, the result stays in registers.
// Attention and layers of a network are such chains.

#ifndef TILE_ANALYSIS_MATMULCHAIN_H
#define TILE_ANALYSIS_MATMULCHAIN_H

#include "tile/Analysis/Tiling.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace tile {

/// Whether each lane can compute its own elements of the result in any layout:
/// of a constant or of a broadcast.
bool isMadeAnywhere(mlir::Operation *op);

/// Returns the matmuls in the same block from whose results the lhs of `matmul`
/// is computed by elementwise operations and branches, possibly together with
/// other tiles.
llvm::SmallVector<MatmulOpInterface> getProducers(MatmulOpInterface matmul);

/// Groups the matmuls of a kernel into classes of matmuls that depend on each
/// other: one matmul uses the result of another as lhs, or two read the same
/// tile.
class MatmulChains {
public:
  MatmulChains(KernelOp kernel, const Architecture &architecture);

  /// Whether the lhs of the matmul is computed from the result of another
  /// matmul, or the lhs of another matmul from the result of this one.
  bool isLinked(MatmulOpInterface matmul) const {
    return linked.contains(matmul);
  }

  /// Whether an instruction that reads descriptors may compute the matmul. All
  /// matmuls that read the same tile must agree on this, since the tile's
  /// layout is either that of a matrix descriptor for all of them or for none.
  bool mayReadDescriptors(MatmulOpInterface matmul) const;
  /// Forbids such an instruction for the matmul and all others of its class.
  void forbidDescriptors(MatmulOpInterface matmul);

private:
  llvm::DenseSet<mlir::Operation *> linked;
  llvm::EquivalenceClasses<mlir::Operation *> classes;
  llvm::DenseSet<mlir::Operation *> forbidden; ///< leaders of classes
};

/// Whether each thread has its part of the matmul's lhs in the accumulators of
/// the matmuls from which it is computed (getProducers), if these have the
/// given tilings.
bool hasOperandInAccumulators(MatmulOpInterface matmul, const Tiling &tiling,
                              llvm::ArrayRef<Tiling> producers,
                              int64_t numWarps);

/// Whether each thread has its part of the matmul's lhs in the accumulators of
/// `producers`, with the tilings that the operations have. @pre these tilings
/// are complete.
bool hasOperandInAccumulators(MatmulOpInterface matmul,
                              llvm::ArrayRef<MatmulOpInterface> producers,
                              int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_MATMULCHAIN_H
