// DecomposeDeterminant.cpp - determinants by pivots and a sign
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pivots of tile.lu are in rows that the permutation names, so they need
// not be moved. The sign is that of the number of pairs of which the
// permutation has the greater number first.

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
        element(cast<FloatType>(type.getElementType())),
        tiles(builder, loc, type),
        factors(LuOp::create(
            builder, loc,
            TypeRange{type, TileType::get(type.getShape().drop_back(),
                                          builder.getI32Type())},
            matrices, /*unordered=*/true, /*scratch=*/Value())) {}

  /// Of each matrix. The rest of a pivot's column are ones here.
  Value getPivots() {
    Value isPivot =
        tiles.areEqual(tiles.ofColumns(factors.getPermutation()), tiles.rows());
    Value others = tiles.constant(element, 1.0);
    return combine(ReduceKind::mul,
                   tiles.choose(isPivot, factors.getResult(), others),
                   type.getRank() - 2);
  }

  /// One, or minus one, of each permutation.
  Value getSigns() {
    Value first = tiles.ofRows(factors.getPermutation());
    Value second = tiles.ofColumns(factors.getPermutation());
    Value isInverted = tiles.create<arith::AndIOp>(
        isLess(tiles.rows(), tiles.columns()), isLess(second, first));
    Value isOdd = combine(ReduceKind::bit_xor, isInverted, type.getRank() - 1);
    isOdd = combine(ReduceKind::bit_xor, isOdd, type.getRank() - 2);
    TileBuilder numbers(builder, loc, type.getShape().drop_back(2));
    return numbers.create<SelectOp>(isOdd, numbers.constant(element, -1.0),
                                    numbers.constant(element, 1.0));
  }

  /// The number of each matrix that those of its rows are combined to.
  Value combineNumbers(ReduceKind kind, Value numbers) {
    return combine(kind, numbers, type.getRank() - 2);
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
  FloatType element;
  MatrixTiles tiles;
  LuOp factors;
};
} // namespace

/// 1, -1 or 0; NaN of a NaN.
static Value createSigns(TileBuilder &tiles, Value numbers, FloatType element) {
  Value zero = tiles.constant(element, 0.0);
  auto is = [&](arith::CmpFPredicate predicate) {
    return tiles.create<arith::CmpFOp>(predicate, numbers, zero);
  };
  Value signs = tiles.create<SelectOp>(is(arith::CmpFPredicate::OGT),
                                       tiles.constant(element, 1.0), zero);
  signs = tiles.create<SelectOp>(is(arith::CmpFPredicate::OLT),
                                 tiles.constant(element, -1.0), signs);
  return tiles.create<SelectOp>(is(arith::CmpFPredicate::UNO), numbers, signs);
}

FailureOr<SmallVector<Value>> DeterminantOp::decompose(OpBuilder &builder) {
  Determinants determinants(builder, getLoc(), getSource());
  Value product =
      determinants.combineNumbers(ReduceKind::mul, determinants.getPivots());
  return SmallVector<Value>{arith::MulFOp::create(builder, getLoc(), product,
                                                  determinants.getSigns())};
}

FailureOr<SmallVector<Value>> LogDetOp::decompose(OpBuilder &builder) {
  TileType type = getSource().getType();
  auto element = cast<FloatType>(type.getElementType());
  Determinants determinants(builder, getLoc(), getSource());
  TileBuilder tiles(builder, getLoc(), type.getShape().drop_back());
  Value pivots = determinants.getPivots();
  Value signs = determinants.combineNumbers(
      ReduceKind::mul, createSigns(tiles, pivots, element));
  Value logarithms =
      tiles.create<math::LogOp>(tiles.create<math::AbsFOp>(pivots));
  return SmallVector<Value>{
      arith::MulFOp::create(builder, getLoc(), signs, determinants.getSigns()),
      determinants.combineNumbers(ReduceKind::add, logarithms)};
}
