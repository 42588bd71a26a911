// DecomposeEigh.cpp - eigenvalues as norms of orthogonal columns
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %w, %v = tile.eigh %a : !tile.tile<9x9xf32> to !tile.tile<9xf32>,
//                           !tile.tile<9x9xf32>
//
// becomes the following. S is the symmetric (Hermitian) matrix of A's lower
// triangle and the real parts of its diagonal, and c is a shift for which
// S + c I is positive definite.
//
//   %q, %d = tile.one_sided_jacobi %g        // S + c I
//   %n = arith.subf %d, %c
//   %w, %i = tile.sort %n, %iota axis 0
//   %v = tile.take %q at %i axis 1
//
// Each eigenvalue of S is at least the minimum, over the columns, of the
// diagonal element minus the magnitudes of the column's other elements
// (Gershgorin). c exceeds the shift that follows from this by a sixteenth of
// norm1(S), so that no column is small compared to its rounding errors. The
// magnitude of a complex element is estimated as that of its larger part plus
// (sqrt(2) - 1) times that of the smaller one, which is between 1 and 1.083
// times the true magnitude.

#include "../Decompositions/Decompositions.h"
#include "MatrixTiles.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

namespace {
class Eigenvalues {
public:
  Eigenvalues(OpBuilder &builder, EighOp op)
      : builder(builder), op(op), type(op.getSource().getType()),
        element(getRealType(type)),
        areComplex(element != type.getElementType()),
        tiles(builder, op.getLoc(), type),
        values(builder, op.getLoc(), type.getShape().drop_back(2)) {}

  SmallVector<Value> decompose() {
    Value symmetric = createHermitian(builder, op.getLoc(), op.getSource());
    Value shift = createShift(symmetric);
    OneSidedJacobiOp columns = createColumns(symmetric, shift);
    Value differences =
        create<arith::SubFOp>(columns.getNorms(), repeat(shift));
    SmallVector<Value> results =
        sortColumns(builder, op.getLoc(), differences, columns.getResult(),
                    /*isDescending=*/false);
    if (op.getStatus())
      results.push_back(columns.getStatus());
    return results;
  }

private:
  template <typename Op, typename... Args>
  Value create(Args... args) {
    return Op::create(builder, op.getLoc(), args...);
  }
  Value reduce(ReduceKind kind, Value tile) {
    int64_t axis = cast<TileType>(tile.getType()).getRank() - 1;
    return createReduce(builder, op.getLoc(), kind, tile, axis);
  }

  /// Returns the magnitudes of real values, or upper bounds of the magnitudes
  /// of complex values.
  Value createSizes(Value values) {
    if (!areComplex)
      return create<math::AbsFOp>(values);
    auto createSize = [&](ComplexKind part) -> Value {
      return create<math::AbsFOp>(takePart(builder, op.getLoc(), part, values));
    };
    Value real = createSize(ComplexKind::re);
    Value imaginary = createSize(ComplexKind::im);
    auto createMultiple = [&](double factor, Value values) -> Value {
      return create<arith::MulFOp>(values, tiles.constant(element, factor));
    };
    // The maximum ignores a NaN; the sum propagates it.
    constexpr double kShare = 0.41421356237309503; // sqrt(2) - 1
    Value sum = create<arith::AddFOp>(real, imaginary);
    Value larger = create<arith::MaxNumFOp>(real, imaginary);
    return create<arith::AddFOp>(createMultiple(kShare, sum),
                                 createMultiple(1 - kShare, larger));
  }

  /// Returns real values as elements of the type of the matrices.
  Value fromReal(Value values) {
    return tile::fromReal(builder, op.getLoc(), values, type.getElementType());
  }

  /// Returns the shift c of each matrix: one for a matrix of zeros, NaN if an
  /// element is not finite.
  Value createShift(Value symmetric) {
    Value sums = createReduce(builder, op.getLoc(), ReduceKind::add,
                              createSizes(symmetric), type.getRank() - 2);
    Value diagonal =
        DiagonalOp::create(builder, op.getLoc(), sums.getType(),
                           getRealParts(builder, op.getLoc(), symmetric));
    Value radii = create<arith::SubFOp>(sums, create<math::AbsFOp>(diagonal));
    Value least =
        reduce(ReduceKind::min, create<arith::SubFOp>(diagonal, radii));
    Value norm = reduce(ReduceKind::max, sums);
    Value zero = values.constant(element, 0.0);
    Value shift = create<arith::AddFOp>(
        create<arith::MaximumFOp>(create<arith::NegFOp>(least), zero),
        create<arith::MulFOp>(norm, values.constant(element, 0.0625)));
    shift = create<SelectOp>(
        create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, shift, zero),
        values.constant(element, 1.0), shift);
    return create<arith::AddFOp>(shift, create<arith::SubFOp>(norm, norm));
  }

  /// Repeats the value of each matrix for each of its columns.
  Value repeat(Value perMatrix) {
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 2));
    return create<BroadcastOp>(
        TileType::get(type.getShape().drop_back(), element), perMatrix,
        builder.getDenseI64ArrayAttr(dims));
  }

  OneSidedJacobiOp createColumns(Value symmetric, Value shift) {
    Value definite =
        create<AddDiagonalOp>(type, symmetric, fromReal(repeat(shift)));
    SmallVector<Type> types = {
        type, TileType::get(type.getShape().drop_back(), element)};
    if (op.getStatus())
      types.push_back(op.getStatus().getType());
    return OneSidedJacobiOp::create(builder, op.getLoc(), types, definite);
  }

  OpBuilder &builder;
  EighOp op;
  TileType type;
  FloatType element; ///< the type of the eigenvalues
  bool areComplex;
  MatrixTiles tiles;
  TileBuilder values; ///< for tiles with one value for each matrix
};
} // namespace

Replacements tile::decompose(EighOp op, OpBuilder &builder) {
  return Eigenvalues(builder, op).decompose();
}
