// DecomposeSvd.cpp - singular values as norms of orthogonal columns
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %u, %s, %vt = tile.svd %a : !tile.tile<9x9xf32> to ...
//
// becomes
//
//   %q, %d = tile.one_sided_jacobi %a
//   %s, %i = tile.sort %d, %iota axis 0 descending
//   %o = tile.take %q at %i axis 1
//   %u = the Q of %o       // %o, with other columns in place of zero columns
//   %v = the Q of A' U     // the R is diagonal, apart from rounding
//
// The signs of the columns of both Q are chosen such that the diagonals of both
// R are not negative. If there are more rows than columns, the R of A = Q R is
// decomposed in this way, and its U is multiplied by Q.

#include "../Decompositions/Decompositions.h"
#include "MatrixTiles.h"
#include "QrFactors.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

namespace {
/// Decomposition of square matrices.
class SingularValues {
public:
  SingularValues(OpBuilder &builder, Location loc, Value matrices)
      : builder(builder), loc(loc), matrices(matrices),
        type(cast<TileType>(matrices.getType())), element(getRealType(type)),
        tiles(builder, loc, type) {}

  /// Returns U, the singular values, V' and, if `status` is not null, a status
  /// of this type.
  SmallVector<Value> decompose(Type status) {
    SmallVector<Type> types = {type, getRows()};
    if (status)
      types.push_back(status);
    auto columns = OneSidedJacobiOp::create(builder, loc, types, matrices);
    SmallVector<Value> sorted =
        sortColumns(builder, loc, columns.getNorms(), columns.getResult(),
                    /*isDescending=*/true);
    Value u = createOrthogonal(sorted[1]);
    Value v = createOrthogonal(multiplyAdjoint(matrices, u));
    SmallVector<Value> results = {u, sorted[0], createAdjoint(builder, loc, v)};
    if (status)
      results.push_back(columns.getStatus());
    return results;
  }

private:
  template <typename Op, typename... Args>
  Value create(Args... args) {
    return Op::create(builder, loc, args...);
  }
  /// Returns the type of a tile with a real element for each column.
  TileType getRows() {
    return TileType::get(type.getShape().drop_back(), element);
  }

  /// Returns the Q of A = Q R for which the real diagonal of R is not negative.
  Value createOrthogonal(Value columns) {
    auto qr = QrOp::create(builder, loc, TypeRange{type, type}, columns);
    Value diagonal = DiagonalOp::create(builder, loc, getRows(),
                                        getRealParts(builder, loc, qr.getR()));
    Value ones = tiles.constant(element, 1.0);
    Value signs = create<math::CopySignOp>(ones, tiles.ofColumns(diagonal));
    return multiplyByReal(builder, loc, qr.getQ(), signs);
  }

  /// Returns A' B, by a matmul with one batch dimension.
  Value multiplyAdjoint(Value a, Value b) {
    int64_t order = type.getShape().back();
    auto batch =
        TileType::get({type.getNumElements() / (order * order), order, order},
                      type.getElementType());
    auto flatten = [&](Value tile) { return create<ReshapeOp>(batch, tile); };
    TileBuilder zeros(builder, loc, batch.getShape());
    Value matmul = MatmulOp::create(
        builder, loc, batch, flatten(createAdjoint(builder, loc, a)),
        flatten(b), zeros.zero(type.getElementType()), Precision::ieee,
        TilingAttr());
    return create<ReshapeOp>(type, matmul);
  }

  OpBuilder &builder;
  Location loc;
  Value matrices;
  TileType type;
  FloatType element; ///< the type of the singular values
  MatrixTiles tiles;
};
} // namespace

/// Appends rows of zeros to a tile's matrices.
static Value appendRows(OpBuilder &builder, Location loc, Value matrices,
                        TileType type) {
  TileBuilder tiles(builder, loc, type.getShape());
  Value zeros = tiles.zero(type.getElementType());
  SmallVector<Value> begin(type.getRank(),
                           arith::ConstantIndexOp::create(builder, loc, 0));
  return InsertOp::create(builder, loc, type, matrices, zeros, begin);
}

Replacements tile::decompose(SvdOp op, OpBuilder &builder) {
  TileType type = op.getSource().getType();
  Type status = op.getStatus() ? op.getStatus().getType() : Type();
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.back() == shape[shape.size() - 2])
    return SingularValues(builder, op.getLoc(), op.getSource())
        .decompose(status);
  HouseholderOp factors =
      createReflections(builder, op.getLoc(), op.getSource());
  Value triangle = takeTriangle(builder, factors);
  SmallVector<Value> results =
      SingularValues(builder, op.getLoc(), triangle).decompose(status);
  results.front() = ApplyHouseholderOp::create(
      builder, op.getLoc(), type, factors.getResult(), factors.getScales(),
      appendRows(builder, op.getLoc(), results.front(), type),
      /*transposed=*/false, /*triangular=*/false, /*scratch=*/Value());
  return results;
}
