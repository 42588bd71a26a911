// DecomposeDeterminant.cpp - determinants by pivots and a sign
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile.lu may leave the rows of its factors unordered here, since the
// permutation lists the rows that contain the pivots. The sign is determined by
// the count of inversions of the permutation, that is, of pairs in which the
// greater index comes first.

#include "../Decompositions/Decompositions.h"
#include "MatrixTiles.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

namespace {
/// The factors of a batch of matrices.
class Determinants {
public:
  Determinants(OpBuilder &builder, Location loc, Value matrices)
      : builder(builder), loc(loc), type(cast<TileType>(matrices.getType())),
        tiles(builder, loc, type),
        factors(LuOp::create(
            builder, loc,
            TypeRange{type, TileType::get(type.getShape().drop_back(),
                                          builder.getI32Type())},
            matrices, /*unordered=*/true, /*scratch=*/Value())) {}

  /// Returns the pivots of each matrix, one for each column. The other elements
  /// of the column are replaced by ones, and all elements of the column are
  /// multiplied.
  Value getPivots() {
    Value isPivot =
        tiles.areEqual(tiles.ofColumns(factors.getPermutation()), tiles.rows());
    Value others = tiles.real(type.getElementType(), 1.0);
    return combine(ReduceKind::mul,
                   tiles.choose(isPivot, factors.getResult(), others),
                   type.getRank() - 2);
  }

  /// Returns the sign of each permutation, one or minus one.
  Value getSigns() {
    Value first = tiles.ofRows(factors.getPermutation());
    Value second = tiles.ofColumns(factors.getPermutation());
    Value isInverted = tiles.create<arith::AndIOp>(
        isLess(tiles.rows(), tiles.columns()), isLess(second, first));
    Value isOdd = combine(ReduceKind::bit_xor, isInverted, type.getRank() - 1);
    isOdd = combine(ReduceKind::bit_xor, isOdd, type.getRank() - 2);
    TileBuilder values(builder, loc, type.getShape().drop_back(2));
    FloatType element = getRealType(type);
    return values.create<SelectOp>(isOdd, values.constant(element, -1.0),
                                   values.constant(element, 1.0));
  }

  /// Combines the pivots of each matrix to one value.
  Value combineValues(ReduceKind kind, Value values) {
    return combine(kind, values, type.getRank() - 2);
  }

private:
  Value combine(ReduceKind kind, Value tile, int64_t axis) {
    return createReduce(builder, loc, kind, tile, axis);
  }
  Value isLess(Value a, Value b) {
    return tiles.create<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b);
  }

  OpBuilder &builder;
  Location loc;
  TileType type;
  MatrixTiles tiles;
  LuOp factors;
};
} // namespace

namespace {
/// Signs of values, and logarithms of their magnitudes.
class SignedLogarithms {
public:
  SignedLogarithms(OpBuilder &builder, Location loc, Value values)
      : builder(builder), loc(loc), values(values),
        type(cast<TileType>(values.getType())), part(getRealType(type)),
        tiles(builder, loc, type.getShape()), zero(tiles.constant(part, 0.0)),
        one(tiles.constant(part, 1.0)) {
    if (isComplex(values))
      takeModuli();
  }

  /// Returns the sign of each value: 1, -1 or 0, or, if it is complex, a value
  /// of modulus 1 or 0; NaN for a NaN.
  Value getSigns() {
    return isComplex(values) ? getDirections() : getRealSigns();
  }

  Value getLogarithms() {
    if (!isComplex(values))
      return createLogarithms(tiles.create<math::AbsFOp>(values));
    Value halves = tiles.create<arith::MulFOp>(tiles.constant(part, 0.5),
                                               createLogarithms(squares));
    return tiles.create<arith::AddFOp>(createLogarithms(largerParts), halves);
  }

private:
  /// Splits each modulus into two factors that do not overflow: the magnitude
  /// of the larger part, and the square root of 1 + q^2, where q is the
  /// magnitude of the smaller part divided by that of the larger one.
  void takeModuli() {
    Value re = tiles.create<math::AbsFOp>(getRealParts(builder, loc, values));
    Value im = tiles.create<math::AbsFOp>(
        takePart(builder, loc, ComplexKind::im, values));
    largerParts = tiles.create<arith::MaximumFOp>(re, im);
    areZero = is(arith::CmpFPredicate::OEQ, largerParts);
    Value quotients = tiles.create<arith::DivFOp>(
        tiles.create<arith::MinimumFOp>(re, im), largerParts);
    quotients = tiles.create<SelectOp>(areZero, zero, quotients);
    squares = tiles.create<arith::AddFOp>(
        one, tiles.create<arith::MulFOp>(quotients, quotients));
  }

  Value getDirections() {
    Value roots = tiles.create<math::SqrtOp>(squares);
    return mapParts(builder, loc, values, [&](Value parts) -> Value {
      Value quotients = tiles.create<arith::DivFOp>(parts, largerParts);
      quotients = tiles.create<arith::DivFOp>(quotients, roots);
      return tiles.create<SelectOp>(areZero, zero, quotients);
    });
  }

  Value getRealSigns() {
    Value signs = tiles.create<SelectOp>(is(arith::CmpFPredicate::OGT, values),
                                         one, zero);
    signs = tiles.create<SelectOp>(is(arith::CmpFPredicate::OLT, values),
                                   tiles.constant(part, -1.0), signs);
    return tiles.create<SelectOp>(is(arith::CmpFPredicate::UNO, values), values,
                                  signs);
  }

  Value createLogarithms(Value sizes) {
    return tiles.create<math::LogOp>(sizes);
  }
  Value is(arith::CmpFPredicate predicate, Value values) {
    return tiles.create<arith::CmpFOp>(predicate, values, zero);
  }

  OpBuilder &builder;
  Location loc;
  Value values;
  TileType type;
  FloatType part;
  TileBuilder tiles;
  Value zero, one;
  Value largerParts, squares, areZero; ///< of complex numbers
};
} // namespace

Replacements tile::decompose(DeterminantOp op, OpBuilder &builder) {
  Determinants determinants(builder, op.getLoc(), op.getSource());
  Value product =
      determinants.combineValues(ReduceKind::mul, determinants.getPivots());
  return SmallVector<Value>{
      multiplyByReal(builder, op.getLoc(), product, determinants.getSigns())};
}

Replacements tile::decompose(LogDetOp op, OpBuilder &builder) {
  Determinants determinants(builder, op.getLoc(), op.getSource());
  SignedLogarithms pivots(builder, op.getLoc(), determinants.getPivots());
  Value signs = determinants.combineValues(ReduceKind::mul, pivots.getSigns());
  Value logarithms =
      determinants.combineValues(ReduceKind::add, pivots.getLogarithms());
  return SmallVector<Value>{
      multiplyByReal(builder, op.getLoc(), signs, determinants.getSigns()),
      logarithms};
}
