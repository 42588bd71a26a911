// LocationText.h - locations of a program as texts of compiled code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETOCPU_LOCATIONTEXT_H
#define TILE_CONVERSION_TILETOCPU_LOCATIONTEXT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile::cpu {

/// Returns the location of `op` in its program, "sorted.mlir:12:5".
mlir::Value createLocationText(mlir::ImplicitLocOpBuilder &builder,
                               mlir::Operation *op);

} // namespace tile::cpu

#endif // TILE_CONVERSION_TILETOCPU_LOCATIONTEXT_H
