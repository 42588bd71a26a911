// Element.h - one element of a tile on a CPU: storage, arithmetic, conversion
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element has a *storage type*, in which it lies in memory and in tensors
// (an integer for bf16 and the two f8 types, else the element type), and a
// *compute type*, in which arithmetic is done (f32 for f8, f16 and bf16, else
// the storage type).
//
// A bf16 is stored as an integer since LLVM moves it as an f32 if the processor
// has no bf16, which changes the bits of NaNs. This file builds those
// conversions for which LLVM would call a library function, round twice, or
// flush denormals (AVX512-BF16).

#ifndef TILE_LIB_CONVERSION_TILETOCPU_ELEMENT_H
#define TILE_LIB_CONVERSION_TILETOCPU_ELEMENT_H

#include "mlir/IR/Builders.h"

namespace tile::cpu {

/// Whether a type is a floating-point type of fewer than 32 bits.
bool isSmallFloat(mlir::Type type);
/// Whether the storage type of a type is an integer of as many bits.
bool isStoredAsBits(mlir::Type type);
/// Returns the storage type of an element, or of a vector of elements.
mlir::Type getStorageType(mlir::Type type);
mlir::Type getComputeType(mlir::Type element);

/// The result of a conversion of a value that is out of the target type's
/// range.
enum class OutOfRange {
  /// The low bits from integer to integer; the nearest integer from floating
  /// point to integer; infinity, or NaN if there is none, to floating point.
  Overflow,
  /// The nearest value, finite for f8.
  Saturate,
};

struct ConversionFlags {
  bool isUnsigned = false;
  bool isBitcast = false;
  OutOfRange outOfRange = OutOfRange::Overflow;
};

/// Converts `value`, stored as `element`, to the compute type of `element`. The
/// conversion is exact.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value value, mlir::Type element);

/// Rounds `value` once to nearest, ties to even, and converts it to the storage
/// type of `element`. `value` is an f32 or f64, or of the compute type of
/// `element`.
mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, mlir::Type element,
                   OutOfRange outOfRange = OutOfRange::Overflow);

/// Converts `value`, stored as `from`, as `tile.cast` specifies, to the storage
/// type of `to`.
/// @pre neither type is complex, or the types are equal.
mlir::Value convert(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, mlir::Type from, mlir::Type to,
                    ConversionFlags flags);

/// Rounds an f32 to the 10 bits of mantissa of tf32: to nearest, ties away from
/// zero (PTX ISA, "cvt.rna.tf32.f32"). Infinities and NaNs stay.
mlir::Value roundToTf32(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_ELEMENT_H
