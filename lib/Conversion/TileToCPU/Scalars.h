// Scalars.h - arithmetic of loops on real or complex scalars
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every multiplication, division, addition and subtraction is rounded; for
// complex scalars those of the parts are.

#ifndef TILE_LIB_CONVERSION_TILETOCPU_SCALARS_H
#define TILE_LIB_CONVERSION_TILETOCPU_SCALARS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile::cpu {

/// Returns the type of a scalar's parts, which is its own for a real one.
mlir::FloatType getRealType(mlir::Type type);
bool isComplex(mlir::Value x);

/// Returns a constant that is real, of a floating-point or a complex type.
mlir::Value buildReal(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                      double value);

mlir::Value getReal(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// @pre `x` is complex
mlir::Value getImaginary(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// Returns the parts of a scalar; a real one is its own part.
llvm::SmallVector<mlir::Value> getParts(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value x);
/// Converts a real scalar to a type.
mlir::Value fromReal(mlir::ImplicitLocOpBuilder &b, mlir::Value real,
                     mlir::Type type);
mlir::Value makeComplex(mlir::ImplicitLocOpBuilder &b, mlir::Value real,
                        mlir::Value imaginary);

/// Returns |x|, or |re| + |im| for a complex number.
mlir::Value getSize(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// Whether a scalar is not zero, which holds for NaN.
mlir::Value isNotZero(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

mlir::Value conjugate(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value subtract(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);
/// Multiplies two scalars, one or both of which may be complex.
mlir::Value multiply(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);
/// Divides scalars of one type, or by a real one. Division by a complex one
/// uses Smith's formula, which squares nothing ("Algorithm 116", CACM 5, 1962).
mlir::Value divide(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_SCALARS_H
