// ProductTiling.h - the ways to spread a product over warps, and their costs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_PRODUCTTILING_H
#define TILE_LIB_TRANSFORMS_PRODUCTTILING_H

#include "tile/Analysis/ProductChain.h"
#include "tile/IR/CooperativeOpInterface.h"

namespace tile {

/// M, N, and how many products the batch has.
std::array<int64_t, 3> getExtents(ProductOpInterface op);

/// What the program gave along M, N and the batch; zero is open.
struct Given {
  int64_t warps[3] = {0, 0, 0}, sub[3] = {0, 0, 0}, thread[3] = {0, 0, 0};
};

Given readGiven(TilingAttr attr);

struct CostedTiling {
  /// Of traffic, rows (mma) or elements (fma) that are read in a step along K.
  DistributionCost cost;
  Tiling tiling;
};

/// The tilings that the given parameters allow, of each split of the warps the
/// cheapest; of a chain's product those of whole rows, if there are any.
llvm::SmallVector<CostedTiling>
listTilings(const MatrixInstruction &instruction, const Given &given,
            ProductOpInterface op, int64_t numWarps,
            const ProductChains &chains);

/// The cheapest of them.
std::optional<Tiling> findTiling(const MatrixInstruction &instruction,
                                 const Given &given, ProductOpInterface op,
                                 int64_t numWarps, const ProductChains &chains);

/// A tiling that is accepted, with as many of the given parameters as there
/// may be.
std::optional<Tiling> relax(const MatrixInstruction &instruction,
                            const Given &given, ProductOpInterface op,
                            int64_t numWarps);

/// The tiling of a product, and what `given` says beside it.
TilingAttr toAttr(const Tiling &tiling, ProductOpInterface op,
                  TilingAttr given);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_PRODUCTTILING_H
