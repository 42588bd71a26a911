// MergeWindows.h - convolutions as matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_MERGEWINDOWS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_MERGEWINDOWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Merges the loops over the positions of a convolution's windows, and those
/// over the elements of a window if there are few channels. Returns whether
/// there was such a convolution.
/// @pre operations are generic
bool mergeWindows(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_MERGEWINDOWS_H
