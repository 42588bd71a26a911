// FloatBits.h - floating-point conversions by arithmetic on bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions are for machines without the instruction: every CPU, and GPUs
// before sm_89. An f8 is represented by its code, an i8.

#ifndef TILE_CONVERSION_FLOATBITS_H
#define TILE_CONVERSION_FLOATBITS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile {

/// Builder of arithmetic on the bits of floating-point values.
struct BitBuilder : mlir::ImplicitLocOpBuilder {
  using Value = mlir::Value;

  BitBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : ImplicitLocOpBuilder(loc, builder) {}

  Value integer(mlir::Type type, int64_t value);
  Value integer(int64_t value) { return integer(getI32Type(), value); }
  Value real(mlir::Type type, double value);
  Value bitcast(mlir::Type type, Value value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value bitAnd(Value a, Value b);
  Value bitOr(Value a, Value b);
  Value shiftRight(Value a, int64_t count);
  Value shiftLeft(Value a, int64_t count);
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b);
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b);
  Value select(Value condition, Value a, Value b);
  Value isNaN(Value value);
  /// Shifts the magnitude bits of an f32 right by `count`, rounded to nearest,
  /// ties to even.
  Value roundShift(Value bits, int64_t count);
};

/// Whether a type is f8E4M3FN or f8E5M2.
bool isFloat8(mlir::Type type);

/// Converts a code of the f8 type `element` to an f32; exact.
mlir::Value widenFloat8(BitBuilder &b, mlir::Value code, mlir::Type element);

/// Converts an f32 to a code of the f8 type `element`, rounded to nearest, ties
/// to even. Unless `saturates` is set, values beyond the largest finite one
/// become infinity, or NaN if the type has no infinity.
mlir::Value narrowToFloat8(BitBuilder &b, mlir::Value value, mlir::Type element,
                           bool saturates);

/// Converts an f64 to an f32. Inexact values become the neighbour whose last
/// bit is set: rounding the result to a type of at most 22 bits is then the
/// same as rounding once.
mlir::Value roundToOdd(BitBuilder &b, mlir::Value value);

} // namespace tile

#endif // TILE_CONVERSION_FLOATBITS_H
