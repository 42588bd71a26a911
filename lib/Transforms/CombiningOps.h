// CombiningOps.h - making reductions like other ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_COMBININGOPS_H
#define TILE_TRANSFORMS_COMBININGOPS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Copies what combines the elements of an operation, if it is a region, to one
/// that was made with an empty region for it.
void copyCombiner(CombiningOpInterface from, CombiningOpInterface to);

/// A reduction along an axis, or of all, by what combines the elements of
/// another operation.
ReduceOp createReduce(mlir::OpBuilder &builder, CombiningOpInterface like,
                      mlir::TypeRange types, mlir::ValueRange sources,
                      std::optional<int64_t> axis);

} // namespace tile

#endif // TILE_TRANSFORMS_COMBININGOPS_H
