// Float8.h - conversions of f8 in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From sm_89 on an instruction converts two numbers; before it each is
// converted by arithmetic on its bits (FloatBits.h).

#ifndef TILE_CONVERSION_TILETONVGPU_FLOAT8_H
#define TILE_CONVERSION_TILETONVGPU_FLOAT8_H

#include "tile/Analysis/Architecture.h"
#include "tile/Conversion/FloatBits.h"

namespace tile {

/// Numbers of f8 as f16, or as f32 on an architecture that has to compute them;
/// exact.
llvm::SmallVector<mlir::Value> widenFloat8(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           llvm::ArrayRef<mlir::Value> numbers,
                                           const Architecture &architecture);

/// Numbers of one type, f16, bf16, f32 or f64, as the f8 type `element`,
/// rounded once to nearest, ties to even, beyond the largest finite number to
/// that.
llvm::SmallVector<mlir::Value>
narrowToFloat8(mlir::OpBuilder &builder, mlir::Location loc,
               llvm::ArrayRef<mlir::Value> numbers, mlir::Type element,
               const Architecture &architecture);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_FLOAT8_H
