// ProductDistribution.h - the old path of tile/Transforms/MatmulDistribution.h,
// until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H
#define TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H

#include "tile/Transforms/MatmulDistribution.h"

namespace tile {

template <typename Op>
using ProductDistributions = MatmulDistributions<Op>;

inline void registerProductDistributions(mlir::DialectRegistry &registry) {
  registerMatmulDistributions(registry);
}

} // namespace tile

#endif // TILE_TRANSFORMS_PRODUCTDISTRIBUTION_H
