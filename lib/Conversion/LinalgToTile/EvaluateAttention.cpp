// EvaluateAttention.cpp - the second product of attention, in one pass
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each part of the scores of a row, what is kept of it is brought to the
// largest score so far: the sum of the powers and their products with the
// values (Milakov and Gimelshein, "Online normalizer calculation for softmax",
// 2018; Dao et al., "FlashAttention", 2022).

#include "Evaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
/// What is kept of each row.
struct Rows {
  Value top, sum, out;
};

/// Arithmetic on tiles of rows and of their columns.
class RowBuilder {
public:
  RowBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  template <typename Op>
  Value create(Value lhs, Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  Value exp(Value tile) { return math::ExpOp::create(builder, loc, tile); }
  /// A combination of each row.
  Value reduce(ReduceKind kind, Value tile);
  /// A number of each row, for each of `columns`.
  Value spread(Value row, int64_t columns);

private:
  OpBuilder &builder;
  Location loc;
};
} // namespace

Value RowBuilder::reduce(ReduceKind kind, Value tile) {
  auto type = ::cast<TileType>(tile.getType());
  auto row = TileType::get({type.getShape()[0]}, type.getElementType());
  return ReduceOp::create(builder, loc, TypeRange{row}, kind, tile,
                          builder.getI64IntegerAttr(1))
      .getResult(0);
}

Value RowBuilder::spread(Value row, int64_t columns) {
  auto type = ::cast<TileType>(row.getType());
  int64_t rows = type.getShape()[0];
  auto to = TileType::get({rows, columns}, type.getElementType());
  return BroadcastOp::create(builder, loc, to, row,
                             builder.getDenseI64ArrayAttr({0}));
}

/// The rows, with a part of their scores more.
static Rows addScores(RowBuilder &b, Rows rows, Value scores,
                      llvm::function_ref<Value(Value, Value)> addProduct) {
  auto count = [](Value tile) {
    return ::cast<TileType>(tile.getType()).getShape()[1];
  };
  Value most = b.reduce(ReduceKind::max, scores);
  Value top = b.create<arith::MaximumFOp>(rows.top, most);
  Value below = b.create<arith::SubFOp>(scores, b.spread(top, count(scores)));
  Value powers = b.exp(below);
  Value shrink = b.exp(b.create<arith::SubFOp>(rows.top, top));
  Value sum = b.create<arith::AddFOp>(b.create<arith::MulFOp>(rows.sum, shrink),
                                      b.reduce(ReduceKind::add, powers));
  Value out =
      b.create<arith::MulFOp>(rows.out, b.spread(shrink, count(rows.out)));
  return {top, sum, addProduct(powers, out)};
}

Value Evaluator::buildAttention(linalg::GenericOp op, const Product &product,
                                const OnlineSoftmax &softmax, const Box &box) {
  Location loc = op.getLoc();
  auto result = ::cast<OpResult>(op.getResult(0));
  AffineMap map = op.getIndexingMapMatchingResult(result);
  bool isLeft = softmax.weights == product.lhs;
  OpOperand *values = isLeft ? product.rhs : product.lhs;
  unsigned row = isLeft ? product.getRow() : product.getColumn();
  unsigned column = isLeft ? product.getColumn() : product.getRow();
  unsigned sum = product.getSum();
  Box loops = getLoops(result, box);
  int64_t rows = loops[row].size, columns = loops[column].size;

  Type weightType = getElementTypeOrSelf(softmax.weights->get());
  Type sumType = getSumType(weightType, getElementTypeOrSelf(result.getType()));
  auto f = ::cast<FloatType>(sumType);
  Attribute lowest = FloatAttr::get(
      f, APFloat::getLargest(f.getFloatSemantics(), /*Negative=*/true));
  auto constant = [&](ArrayRef<int64_t> shape, Attribute number) {
    return splat(loc, shape, ::cast<TypedAttr>(number));
  };
  Attribute zero = builder.getZeroAttr(sumType);
  SmallVector<Value> start{constant({rows}, lowest), constant({rows}, zero),
                           constant({rows, columns}, zero)};
  RowBuilder b(builder, loc);
  SmallVector<Value> end = buildReduction(
      op, {sum}, loops, start,
      [&](const Box &part, ValueRange carried) -> SmallVector<Value> {
        Value scores =
            cast(loc, evaluateScores(op, softmax, part, row, sum), sumType);
        auto addProduct = [&](Value powers, Value out) -> Value {
          Value weights = cast(loc, powers, weightType);
          Value factor = evaluateFactor(op, values, part, sum, column, sum);
          return MatmulOp::create(builder, loc, out.getType(), weights, factor,
                                  out, Precision::ieee, TilingAttr());
        };
        Rows next = addScores(b, {carried[0], carried[1], carried[2]}, scores,
                              addProduct);
        return {next.top, next.sum, next.out};
      });
  Value sums = b.spread(end[1], columns);
  Value out = b.create<arith::DivFOp>(end[2], sums);
  if (softmax.isSafe) {
    Value none = constant({rows, columns}, zero);
    Value isMasked = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, sums, none);
    out = SelectOp::create(builder, loc, isMasked, none, out);
  }
  Value tile = fromMatrix(loc, cast(loc, out, getElementTypeOrSelf(result)),
                          map, loops, row, column);
  Value init = op.getDpsInits()[0];
  if (isIdentity(init, ::cast<TypedAttr>(zero)))
    return tile;
  return arith::AddFOp::create(builder, loc, evaluate(init, box), tile);
}

/// The part of the scores, as rows: those outside count nothing.
Value Evaluator::evaluateScores(linalg::GenericOp op,
                                const OnlineSoftmax &softmax, const Box &part,
                                unsigned row, unsigned sum) {
  Location loc = op.getLoc();
  const Group &group = getGroup();
  ArrayRef<unsigned> own = group.loopsOf.find(op)->second;
  SmallVector<unsigned> dims;
  if (group.contains(softmax.scores))
    dims = group.getLoops(::cast<OpResult>(softmax.scores));
  else
    dims = group.inputs.find(softmax.scores)->second;
  // The scores are indexed by loops of the group, as the weights are.
  Box box;
  SmallVector<unsigned> loops;
  for (unsigned dim : dims) {
    loops.push_back(llvm::find(own, dim) - own.begin());
    box.push_back(part[loops.back()]);
  }
  Value tile = evaluate(softmax.scores, box);
  Type element = getElementTypeOrSelf(tile.getType());
  auto f = ::cast<FloatType>(element);
  Value nothing = arith::ConstantOp::create(
      builder, loc,
      FloatAttr::get(f, APFloat::getInf(f.getFloatSemantics(), true)));
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    if (loop != sum)
      continue;
    Value extent = getLoopExtent(op, sum);
    std::optional<int64_t> number = getConstantIntValue(extent);
    if (!number || *number % box[dim].size != 0)
      tile = keepInside(loc, tile, box, dim, extent, nothing);
  }
  AffineMap map = AffineMap::getMultiDimMapWithTargets(op.getNumLoops(), loops,
                                                       builder.getContext());
  return toMatrix(loc, tile, map, part, row, sum);
}
