// EvaluateOnlineSoftmax.cpp - softmax and matmul in one pass over the scores
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scores of a row are processed in parts. The state of a row is the largest
// score so far, the sum of the powers exp(score - largest), and the matmul of
// these powers with the values. When a part has a larger score, the sum and the
// matmul are rescaled to it before the part is added (Milakov and Gimelshein,
// "Online normalizer calculation for softmax", 2018; Dao et al.,
// "FlashAttention", 2022).

#include "Evaluator.h"
#include "ScoreForm.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
/// State of each row: the largest score, the sum of the powers, and the matmul
/// of the powers with the values.
struct Rows {
  Value top, sum, out;
};

/// Arithmetic on tiles of rows and of their columns.
class RowBuilder {
public:
  /// @param weights element type of the softmax. With at most 16 bits,
  /// approximate powers are precise enough.
  /// @param factor constant by which the scores are still to be multiplied, if
  /// any. Powers are then computed by exp2, and `top` of a row is its largest
  /// score times `factor` log2(e).
  RowBuilder(OpBuilder &builder, Location loc, Type weights,
             std::optional<double> factor)
      : builder(builder), loc(loc),
        isApproximate(weights.getIntOrFloatBitWidth() <= 16), factor(factor) {}

  template <typename Op>
  Value create(Value lhs, Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  /// Returns exp(lhs - rhs) for two values of `top`; exp2 if there is a factor.
  Value power(Value lhs, Value rhs);
  /// Returns exp(score - top) for each score, with the `top` of its row.
  Value powers(Value scores, Value top);
  /// Returns `top` of each row: its largest score, multiplied as above.
  Value getTop(Value scores);
  /// Divides each row of `out` by its sum. If `isSafe` holds, a row whose sum
  /// is zero is unchanged: it is zero.
  Value divide(Value out, Value sum, bool isSafe);
  /// Combines the elements of each row of `tile` to one value.
  Value reduce(ReduceKind kind, Value tile);
  /// Repeats the value of each row in each of `columns` columns.
  Value spread(Value row, int64_t columns);

private:
  Value splat(Type tile, double value);
  /// Returns a tile of the factor by which scores are multiplied before exp2.
  Value splatFactor(Type tile) {
    return splat(tile, *factor * llvm::numbers::log2e);
  }

  OpBuilder &builder;
  Location loc;
  bool isApproximate;
  std::optional<double> factor;
};
} // namespace

Value RowBuilder::splat(Type tile, double value) {
  auto type = ::cast<TileType>(tile);
  auto element = builder.getFloatAttr(type.getElementType(), value);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

Value RowBuilder::power(Value lhs, Value rhs) {
  Value below = create<arith::SubFOp>(lhs, rhs);
  auto flags =
      isApproximate ? arith::FastMathFlags::afn : arith::FastMathFlags::none;
  if (factor)
    return math::Exp2Op::create(builder, loc, below, flags);
  return math::ExpOp::create(builder, loc, below, flags);
}

static int64_t countColumns(Value tile) {
  return ::cast<TileType>(tile.getType()).getShape()[1];
}

Value RowBuilder::powers(Value scores, Value top) {
  int64_t columns = countColumns(scores);
  if (!factor)
    return power(scores, spread(top, columns));
  Value less = arith::NegFOp::create(builder, loc, top);
  Value below =
      math::FmaOp::create(builder, loc, scores, splatFactor(scores.getType()),
                          spread(less, columns));
  return math::Exp2Op::create(builder, loc, below, arith::FastMathFlags::afn);
}

Value RowBuilder::getTop(Value scores) {
  Value top = reduce(ReduceKind::max, scores);
  return factor ? create<arith::MulFOp>(top, splatFactor(top.getType())) : top;
}

/// Multiplies by one reciprocal for each row if the weights have at most 16
/// bits.
Value RowBuilder::divide(Value out, Value sum, bool isSafe) {
  Type type = sum.getType();
  if (isSafe) {
    Value isMasked = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, sum, splat(type, 0));
    sum = SelectOp::create(builder, loc, isMasked, splat(type, 1), sum);
  }
  int64_t columns = countColumns(out);
  if (!isApproximate)
    return create<arith::DivFOp>(out, spread(sum, columns));
  Value inverse = create<arith::DivFOp>(splat(type, 1), sum);
  return create<arith::MulFOp>(out, spread(inverse, columns));
}

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

/// Updates the rows with a further part of their scores.
static Rows addScores(RowBuilder &b, Rows rows, Value scores,
                      llvm::function_ref<Value(Value, Value)> addMatmul) {
  Value top = b.create<arith::MaximumFOp>(rows.top, b.getTop(scores));
  Value powers = b.powers(scores, top);
  Value shrink = b.power(rows.top, top);
  Value sum = b.create<arith::AddFOp>(b.create<arith::MulFOp>(rows.sum, shrink),
                                      b.reduce(ReduceKind::add, powers));
  Value out = b.create<arith::MulFOp>(rows.out,
                                      b.spread(shrink, countColumns(rows.out)));
  return {top, sum, addMatmul(powers, out)};
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

static TypedAttr getLowest(OpBuilder &builder, Type element) {
  auto f = ::cast<FloatType>(element);
  return FloatAttr::get(
      f, APFloat::getInf(f.getFloatSemantics(), /*Negative=*/true));
}

namespace {
/// The values from which the scores of a softmax are computed.
struct ScoreForm {
  /// The tensor that is evaluated. The scores are its elements, multiplied by
  /// `factor` if there is one, and masked if there is a mask.
  Value scores;
  std::optional<double> factor;
  std::optional<CausalMask> mask;
};
} // namespace

/// Returns the form of the scores. With a factor, the argument of exp2 is one
/// fused multiply-add of a score. The factor times log2(e) must be at most one,
/// so that no score of f32 overflows.
static ScoreForm getScoreForm(const OnlineSoftmax &softmax, Type weightType) {
  ScoreForm form{softmax.scores, {}, matchCausalMask(softmax.scores)};
  if (form.mask)
    form.scores = form.mask->scores;
  std::optional<ScaledScores> scaled = matchScaledScores(form.scores);
  if (!scaled || weightType.getIntOrFloatBitWidth() > 16)
    return form;
  double factor = scaled->factor.convertToDouble();
  if (factor > 0 && factor * llvm::numbers::log2e <= 1) {
    form.scores = scaled->scores;
    form.factor = factor;
  }
  return form;
}

/// Returns the matmul's loop for each dimension of the scores.
SmallVector<unsigned> Evaluator::getScoreLoops(linalg::GenericOp op,
                                               Value scores) {
  const Group &group = getGroup();
  ArrayRef<unsigned> own = group.loopsOf.find(op)->second;
  SmallVector<unsigned> dims = group.contains(scores)
                                   ? group.getLoops(::cast<OpResult>(scores))
                                   : group.inputs.find(scores)->second;
  return llvm::map_to_vector(dims, [&](unsigned dim) {
    return unsigned(llvm::find(own, dim) - own.begin());
  });
}

/// Sets the elements of `matrix`, a tile of scores, to minus infinity where
/// `key - row` exceeds the mask's offset. A branch skips the mask for a tile
/// without such elements.
Value Evaluator::maskScores(Location loc, Value matrix, const CausalMask &mask,
                            const BoxDim &row, const BoxDim &key) {
  auto type = ::cast<TileType>(matrix.getType());
  Value ends = kernel.add(key.offset, kernel.getIndex(key.size));
  Value firstEnd = kernel.add(row.offset, kernel.getIndex(mask.offset + 1));
  Value isCut = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                      ends, firstEnd);
  auto choice = scf::IfOp::create(builder, loc, TypeRange{type}, isCut,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  auto indexType = TileType::get(type.getShape(), builder.getI32Type());
  auto getIndices = [&](int64_t axis) -> Value {
    return IotaOp::create(builder, loc, indexType, axis, Value(), Value());
  };
  Value ahead = arith::SubIOp::create(builder, loc, key.offset, row.offset);
  ahead = arith::SubIOp::create(
      builder, loc, ahead,
      arith::ConstantIndexOp::create(builder, loc, mask.offset));
  ahead = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), ahead);
  Value keys =
      arith::AddIOp::create(builder, loc, getIndices(1),
                            FillOp::create(builder, loc, indexType, ahead));
  Value counts = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                       keys, getIndices(0));
  Value kept = SelectOp::create(
      builder, loc, counts, matrix,
      splat(loc, type.getShape(), getLowest(builder, type.getElementType())));
  scf::YieldOp::create(builder, loc, kept);
  builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(builder, loc, matrix);
  return choice.getResult(0);
}

/// Evaluates a tile of the scores as a matrix of rows. Elements outside the
/// tensor are minus infinity, so that they do not contribute.
Value Evaluator::evaluateScores(linalg::GenericOp op, Value scores,
                                ArrayRef<unsigned> loops, const Box &part,
                                unsigned row, unsigned sum) {
  Location loc = op.getLoc();
  // The scores are indexed by loops of the group, as the weights are.
  Box box =
      llvm::map_to_vector<4>(loops, [&](unsigned loop) { return part[loop]; });
  Value tile = evaluate(scores, box);
  Value nothing = arith::ConstantOp::create(
      builder, loc, getLowest(builder, getElementTypeOrSelf(tile.getType())));
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    if (loop != sum)
      continue;
    Value extent = getLoopExtent(op, sum);
    std::optional<int64_t> constant = getConstantIntValue(extent);
    if (!constant || *constant % box[dim].size != 0)
      tile = keepInside(loc, tile, box, dim, extent, nothing);
  }
  AffineMap map = AffineMap::getMultiDimMapWithTargets(op.getNumLoops(), loops,
                                                       builder.getContext());
  return toMatrix(loc, tile, map, part, row, sum);
}

//===----------------------------------------------------------------------===//
// The matmul
//===----------------------------------------------------------------------===//

/// Whether a mask's rows and keys are the rows and columns of the matrix of
/// scores.
static bool isOfMatrix(const CausalMask &mask, ArrayRef<unsigned> loops,
                       unsigned row, unsigned sum) {
  return loops[mask.row] == row && loops[mask.key] == sum;
}

Value Evaluator::buildOnlineSoftmax(linalg::GenericOp op, const Matmul &matmul,
                                    const OnlineSoftmax &softmax,
                                    const Box &box) {
  Location loc = op.getLoc();
  auto result = ::cast<OpResult>(op.getResult(0));
  AffineMap map = op.getIndexingMapMatchingResult(result);
  bool isLeft = softmax.weights == matmul.lhs;
  OpOperand *values = isLeft ? matmul.rhs : matmul.lhs;
  unsigned row = isLeft ? matmul.getRow() : matmul.getColumn();
  unsigned column = isLeft ? matmul.getColumn() : matmul.getRow();
  unsigned sum = matmul.getSum();
  Box loops = getLoops(result, box);
  int64_t rows = loops[row].size, columns = loops[column].size;

  Type weightType = getElementTypeOrSelf(softmax.weights->get());
  Type sumType = getSumType(weightType, getElementTypeOrSelf(result.getType()));
  SmallVector<unsigned> scoreLoops = getScoreLoops(op, softmax.scores);
  ScoreForm form = getScoreForm(softmax, weightType);
  if (form.mask && !isOfMatrix(*form.mask, scoreLoops, row, sum))
    form = {softmax.scores, {}, {}};
  auto f = ::cast<FloatType>(sumType);
  Attribute lowest = FloatAttr::get(
      f, APFloat::getLargest(f.getFloatSemantics(), /*Negative=*/true));
  auto constant = [&](ArrayRef<int64_t> shape, Attribute value) {
    return splat(loc, shape, ::cast<TypedAttr>(value));
  };
  Attribute zero = builder.getZeroAttr(sumType);
  SmallVector<Value> start{constant({rows}, lowest), constant({rows}, zero),
                           constant({rows, columns}, zero)};
  RowBuilder b(builder, loc, weightType, form.factor);
  Value end = getLoopExtent(op, sum);
  if (form.mask)
    end = kernel.minimum(end,
                         kernel.add(loops[row].offset,
                                    kernel.getIndex(rows + form.mask->offset)));
  SmallVector<Value> last = kernel.buildLoop(
      loc, end, getTile(op, sum), start,
      [&](Value index, ValueRange carried) -> SmallVector<Value> {
        Box part = loops;
        part[sum] = {index, getTile(op, sum)};
        Value scores = cast(
            loc, evaluateScores(op, form.scores, scoreLoops, part, row, sum),
            sumType);
        if (form.mask)
          scores = maskScores(loc, scores, *form.mask, part[row], part[sum]);
        auto addMatmul = [&](Value powers, Value out) -> Value {
          Value weights = cast(loc, powers, weightType);
          Value factor = evaluateFactor(op, values, part, sum, column, sum);
          return MatmulOp::create(builder, loc, out.getType(), weights, factor,
                                  out, Precision::ieee, TilingAttr());
        };
        Rows next = addScores(b, {carried[0], carried[1], carried[2]}, scores,
                              addMatmul);
        return {next.top, next.sum, next.out};
      });
  Value out = b.divide(last[2], last[1], softmax.isSafe);
  Value tile = fromMatrix(loc, cast(loc, out, getElementTypeOrSelf(result)),
                          map, loops, row, column);
  Value init = op.getDpsInits()[0];
  if (isIdentity(init, ::cast<TypedAttr>(zero)))
    return tile;
  return arith::AddFOp::create(builder, loc, evaluate(init, box), tile);
}
