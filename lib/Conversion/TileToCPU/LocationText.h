// LocationText.h - locations in a program as constant texts in compiled code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETOCPU_LOCATIONTEXT_H
#define TILE_CONVERSION_TILETOCPU_LOCATIONTEXT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile::cpu {

/// Returns a constant text with the location of `op`, such as
/// "sorted.mlir:12:5".
mlir::Value createLocationText(mlir::ImplicitLocOpBuilder &builder,
                               mlir::Operation *op);

} // namespace tile::cpu

#endif // TILE_CONVERSION_TILETOCPU_LOCATIONTEXT_H
