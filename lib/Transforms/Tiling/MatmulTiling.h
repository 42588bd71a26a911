// MatmulTiling.h - distributions of a matmul over warps, and their costs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_MATMULTILING_H
#define TILE_LIB_TRANSFORMS_MATMULTILING_H

#include "tile/Analysis/MatmulChain.h"
#include "tile/IR/CooperativeOpInterface.h"

namespace tile {

/// Parameters that the program gave along M, N and the batch. Zero means that
/// the program did not give the parameter.
struct Given {
  int64_t warps[3] = {0, 0, 0}, sub[3] = {0, 0, 0}, thread[3] = {0, 0, 0};
};

Given readGiven(TilingAttr attr);

struct CostedTiling {
  /// Cost whose traffic is the rows (mma) or wavefronts (fma) that are read.
  DistributionCost cost;
  Tiling tiling;
};

/// Returns the cheapest tiling that the given parameters allow for each split
/// of the warps. For a matmul of a chain only tilings with whole rows are
/// returned, if there are any.
llvm::SmallVector<CostedTiling>
listTilings(MatrixInstructionAttrInterface instruction, const Given &given,
            MatmulOpInterface op, int64_t numWarps, const MatmulChains &chains);

/// Returns the cheapest of the listed tilings.
std::optional<Tiling> findTiling(MatrixInstructionAttrInterface instruction,
                                 const Given &given, MatmulOpInterface op,
                                 int64_t numWarps, const MatmulChains &chains);

/// Returns a valid tiling that keeps as many of the given parameters as
/// possible.
std::optional<Tiling> relax(MatrixInstructionAttrInterface instruction,
                            const Given &given, MatmulOpInterface op,
                            int64_t numWarps);

/// Returns `tiling` as an attribute. The operand source, vector width and
/// stages are those of `given`.
TilingAttr toAttr(const Tiling &tiling, MatmulOpInterface op, TilingAttr given);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MATMULTILING_H
