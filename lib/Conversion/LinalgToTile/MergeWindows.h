// MergeWindows.h - convolutions as products of matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_MERGEWINDOWS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_MERGEWINDOWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Makes one loop of those over the places of a convolution's windows, and of
/// those over what a window has where channels are few. Returns whether there
/// was such a convolution.
/// @pre operations are generic
bool mergeWindows(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_MERGEWINDOWS_H
