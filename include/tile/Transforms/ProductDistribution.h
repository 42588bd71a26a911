// ProductDistribution.h - products as operations that warps compute together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H
#define TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// What the program gives, and as many warps as serve the product.
WarpDemand getProductDemand(ProductOpInterface op,
                            const DistributionContext &context);

/// The tilings that the product's own leaves open.
/// @pre the product has a tiling, be it empty
mlir::FailureOr<llvm::SmallVector<WorkDistribution>>
enumerateTilings(ProductOpInterface op, const DistributionContext &context);

/// Sets the tiling; fails, after an error, where ptxas would spill.
llvm::LogicalResult distributeProduct(ProductOpInterface op,
                                      const WorkDistribution &distribution,
                                      const DistributionContext &context);

/// The interface of an operation that has ProductOpInterface.
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

/// That of tile.matmul.
void registerProductDistributions(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H
