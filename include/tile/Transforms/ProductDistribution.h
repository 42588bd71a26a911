// ProductDistribution.h - matmuls as operations that warps compute together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H
#define TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// Returns the warps that the program gives, and the number of warps that
/// serves the matmul.
WarpDemand getProductDemand(ProductOpInterface op,
                            const DistributionContext &context);

/// Returns the tilings that the matmul's own tiling leaves open.
/// @pre the matmul has a tiling, which may be empty
mlir::FailureOr<llvm::SmallVector<WorkDistribution>>
enumerateTilings(ProductOpInterface op, const DistributionContext &context);

/// Sets the tiling. Fails, after an error, if ptxas would spill.
llvm::LogicalResult distributeProduct(ProductOpInterface op,
                                      const WorkDistribution &distribution,
                                      const DistributionContext &context);

/// Implementation of CooperativeOpInterface for an operation that has
/// ProductOpInterface.
template <typename ProductOp>
struct ProductDistributions
    : CooperativeOpInterface::ExternalModel<ProductDistributions<ProductOp>,
                                            ProductOp> {
  WarpDemand getWarpDemand(mlir::Operation *op,
                           const DistributionContext &context) const {
    return getProductDemand(llvm::cast<ProductOpInterface>(op), context);
  }
  mlir::FailureOr<llvm::SmallVector<WorkDistribution>>
  enumerateDistributions(mlir::Operation *op,
                         const DistributionContext &context) const {
    return enumerateTilings(llvm::cast<ProductOpInterface>(op), context);
  }
  llvm::LogicalResult distribute(mlir::Operation *op,
                                 const WorkDistribution &distribution,
                                 const DistributionContext &context) const {
    return distributeProduct(llvm::cast<ProductOpInterface>(op), distribution,
                             context);
  }
};

/// Registers the implementation for tile.matmul.
void registerProductDistributions(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H
