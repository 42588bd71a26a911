// Float8.h - conversions of f8 in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From sm_89 on an instruction converts two elements. On older architectures
// each element is converted by arithmetic on its bits (FloatBits.h).

#ifndef TILE_CONVERSION_TILETONVGPU_FLOAT8_H
#define TILE_CONVERSION_TILETONVGPU_FLOAT8_H

#include "tile/Analysis/Architecture.h"
#include "tile/Conversion/FloatBits.h"

namespace tile {

/// Converts f8 elements exactly: to f16, or to f32 on an architecture without
/// the instruction.
llvm::SmallVector<mlir::Value> widenFloat8(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           llvm::ArrayRef<mlir::Value> values,
                                           const Architecture &architecture);

/// Converts elements of one type, f16, bf16, f32 or f64, to the f8 type
/// `element`, rounded once to nearest, ties to even. A value beyond the largest
/// finite one becomes the largest finite one.
llvm::SmallVector<mlir::Value>
narrowToFloat8(mlir::OpBuilder &builder, mlir::Location loc,
               llvm::ArrayRef<mlir::Value> values, mlir::Type element,
               const Architecture &architecture);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_FLOAT8_H
