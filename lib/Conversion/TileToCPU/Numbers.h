// Numbers.h - arithmetic of loops on numbers, real or complex
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every product, quotient, sum and difference is rounded, of complex numbers
// each of the parts'.

#ifndef TILE_LIB_CONVERSION_TILETOCPU_NUMBERS_H
#define TILE_LIB_CONVERSION_TILETOCPU_NUMBERS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile::cpu {

/// The type of a number's parts, which of a real one is its own.
mlir::FloatType getRealType(mlir::Type type);
bool isComplex(mlir::Value number);

/// A constant that is real, of a floating-point or a complex type.
mlir::Value buildReal(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                      double value);

mlir::Value getReal(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// @pre the number is complex
mlir::Value getImaginary(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// The parts of a number, of a real one itself.
llvm::SmallVector<mlir::Value> getParts(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value x);
/// A real number as one of a type.
mlir::Value fromReal(mlir::ImplicitLocOpBuilder &b, mlir::Value real,
                     mlir::Type type);
mlir::Value makeComplex(mlir::ImplicitLocOpBuilder &b, mlir::Value real,
                        mlir::Value imaginary);

/// |x|, of a complex number |re| + |im|.
mlir::Value getSize(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
/// Whether a number is not zero, as NaN is not.
mlir::Value isNotZero(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

mlir::Value conjugate(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value subtract(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);
/// One or both may be complex.
mlir::Value multiply(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);
/// A quotient of numbers of one type, or by a real one. By a complex one
/// Smith's formula, which squares nothing ("Algorithm 116", CACM 5, 1962).
mlir::Value divide(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_NUMBERS_H
