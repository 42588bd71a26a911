// MatmulDistribution.h - matmuls as operations that warps compute together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_MATMULDISTRIBUTION_H
#define TILE_TRANSFORMS_MATMULDISTRIBUTION_H

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// Returns the number of warps that the program gives, and the number of warps
/// that suits the matmul.
WarpDemand getMatmulDemand(MatmulOpInterface op,
                           const DistributionContext &context);

/// Returns the distributions by all tilings that agree with the parameters of
/// the matmul's own tiling.
/// @pre the matmul has a tiling, which may be empty
mlir::FailureOr<llvm::SmallVector<WorkDistribution>>
enumerateTilings(MatmulOpInterface op, const DistributionContext &context);

/// Sets the matmul's tiling. Fails, after an error, if ptxas would spill.
llvm::LogicalResult distributeMatmul(MatmulOpInterface op,
                                     const WorkDistribution &distribution,
                                     const DistributionContext &context);

/// Implementation of CooperativeOpInterface for an operation that has
/// MatmulOpInterface.
template <typename MatmulOp>
struct MatmulDistributions
    : CooperativeOpInterface::ExternalModel<MatmulDistributions<MatmulOp>,
                                            MatmulOp> {
  WarpDemand getWarpDemand(mlir::Operation *op,
                           const DistributionContext &context) const {
    return getMatmulDemand(llvm::cast<MatmulOpInterface>(op), context);
  }
  mlir::FailureOr<llvm::SmallVector<WorkDistribution>>
  enumerateDistributions(mlir::Operation *op,
                         const DistributionContext &context) const {
    return enumerateTilings(llvm::cast<MatmulOpInterface>(op), context);
  }
  llvm::LogicalResult distribute(mlir::Operation *op,
                                 const WorkDistribution &distribution,
                                 const DistributionContext &context) const {
    return distributeMatmul(llvm::cast<MatmulOpInterface>(op), distribution,
                            context);
  }
};

/// Registers the implementation for tile.matmul.
void registerMatmulDistributions(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_TRANSFORMS_MATMULDISTRIBUTION_H
