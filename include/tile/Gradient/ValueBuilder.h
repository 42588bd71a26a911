// ValueBuilder.h - arithmetic on values of any element type
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of derivatives are the same for scalars and tiles, and nearly the same
// for real and complex elements. A null value stands for zero.

#ifndef TILE_GRADIENT_VALUEBUILDER_H
#define TILE_GRADIENT_VALUEBUILDER_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile {

/// Returns the element type of a tile, or the type of a scalar.
mlir::Type getElementType(mlir::Type scalarOrTile);

/// Returns `type` with another element type.
mlir::Type withElementType(mlir::Type scalarOrTile, mlir::Type element);

/// Whether values of the type can have a tangent: scalars and tiles with
/// floating-point or complex elements, and arrays of them.
bool isDifferentiable(mlir::Type type);

/// Whether atomic operations can add elements of a type.
bool canAddAtomically(mlir::Type element);

/// Returns the real value of a constant, or of a constant tile whose elements
/// are equal; nothing for other values.
std::optional<double> getRealConstant(mlir::Value value);

/// The values of which a selection takes elements.
struct Selection {
  mlir::Value whereTrue, whereFalse;
};

/// Returns the values that a value was selected from; nothing for the result of
/// another operation.
std::optional<Selection> getSelection(mlir::Value value);

/// Returns the value before it was rounded to a narrower floating-point type;
/// another value is returned as it is.
mlir::Value skipRounding(mlir::Value value);

/// Returns the type in which elements are added up: at least f32.
mlir::Type getSumElement(mlir::Type element);

/// Returns the type in which values like `value` are added up.
mlir::Type getSumType(mlir::Value value);

/// Returns an integer of the host or of a kernel as an index.
mlir::Value toIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value integer);

class ValueBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// Returns a constant with the real value `value`, for a scalar or tile type
  /// with floating-point or complex elements.
  mlir::Value real(mlir::Type type, double value);
  mlir::Value zero(mlir::Type type) { return real(type, 0); }
  /// Returns `value`, or a zero of the type if it is null.
  mlir::Value orZero(mlir::Value value, mlir::Type type) {
    return value ? value : zero(type);
  }

  /// Returns `value` in a tile type that differs from its own at most by the
  /// layout; null for null.
  mlir::Value withLayoutOf(mlir::Type type, mlir::Value value);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value neg(mlir::Value a);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  /// Multiplies by the real value `factor`.
  mlir::Value scale(mlir::Value a, double factor);
  /// Returns the complex conjugate; a real value is returned as it is.
  mlir::Value conj(mlir::Value a);
  /// Creates arithmetic on complex values, as `tile.complex` defines it, on
  /// tiles or on scalars; `type` is that of the result.
  mlir::Value createComplex(ComplexKind kind, mlir::Type type,
                            mlir::ValueRange inputs);

  /// Compares real values.
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b);
  /// Selects by element, or all elements if the condition is a scalar. Either
  /// value may be null, not both.
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);

  /// Adds a value to a sum, which has another element type or the same. If
  /// nothing else will use the value, a matmul that computes it accumulates.
  mlir::Value accumulate(mlir::Value sum, mlir::Value value, bool isOnlyUse);

  /// Converts a real value to another floating-point element type.
  mlir::Value cast(mlir::Value a, mlir::Type element);

  /// Creates the operation `Op`, of math or arith, on values of one type, which
  /// is the type of the result.
  template <typename Op>
  mlir::Value apply(mlir::Value a) {
    return Op::create(*this, a);
  }
};

} // namespace tile

#endif // TILE_GRADIENT_VALUEBUILDER_H
