// Scalars.h - arithmetic of loops on real or complex scalars
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every multiplication, division, addition and subtraction of real values is
// rounded, also those on the parts of complex scalars.

#ifndef TILE_LIB_CONVERSION_TILETOCPU_SCALARS_H
#define TILE_LIB_CONVERSION_TILETOCPU_SCALARS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile::cpu {

/// Returns the type of the parts of a complex type; a real type itself.
mlir::FloatType getRealType(mlir::Type type);
bool isComplex(mlir::Value x);

/// Returns a constant with the real value `value`, of a floating-point or a
/// complex type.
mlir::Value buildReal(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                      double value);

mlir::Value getReal(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// @pre `x` is complex
mlir::Value getImaginary(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// Returns both parts of a complex scalar, or a real scalar itself.
llvm::SmallVector<mlir::Value> getParts(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value x);
/// Converts a real scalar to the complex type `type`, or returns it if `type`
/// is real.
mlir::Value fromReal(mlir::ImplicitLocOpBuilder &b, mlir::Value real,
                     mlir::Type type);
mlir::Value makeComplex(mlir::ImplicitLocOpBuilder &b, mlir::Value real,
                        mlir::Value imaginary);

/// Returns |x|, or |re| + |im| for a complex number.
mlir::Value getSize(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// Whether a scalar is not zero; a NaN is not zero.
mlir::Value isNotZero(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

mlir::Value conjugate(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value subtract(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);
/// Multiplies two scalars, one or both of which may be complex.
mlir::Value multiply(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);
/// Divides `x` by `y`, which has the type of `x` or is real. Division by a
/// complex scalar uses Smith's formula, which needs no squares that could
/// overflow ("Algorithm 116", CACM 5, 1962).
mlir::Value divide(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_SCALARS_H
