// ConstantText.h - texts that compiled code passes to functions of C
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_CONSTANTTEXT_H
#define TILE_CONVERSION_CONSTANTTEXT_H

#include "mlir/IR/Builders.h"

namespace tile {

/// Returns a pointer to the first character of `text`, which a character 0
/// terminates. The module around the builder keeps each text of an owner once,
/// as a global named after the owner and a counter, so that texts of owners
/// that are lowered separately do not clash.
mlir::Value createConstantText(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::StringRef owner, llvm::StringRef text);

} // namespace tile

#endif // TILE_CONVERSION_CONSTANTTEXT_H
