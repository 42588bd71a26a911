// OneSidedJacobi.cpp - orthogonal columns of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The columns of a matrix have positions from 0 to N - 1, where N is the count
// of columns, rounded up to a multiple of two. Lane l holds the columns at the
// positions 2 l and 2 l + 1. A step has two halves (odd-even transposition
// order: Luk and Park, "On Parallel Jacobi Orderings", SIAM J. Sci. Stat.
// Comput. 10, 1989). In the first, the two columns of each lane are rotated and
// swap positions; in the second, the columns at positions 2 l + 1 and 2 l + 2:
//
//   lane 0   lane 1   lane 2
//   x0 x1    x2 x3    x4 x5
//   x1 x0    x3 x2    x5 x4     each pair of a lane
//   x1 x3    x0 x5    x2 x4     each pair across lanes; x1 and x4 rest
//
// In the second half a lane takes the first column of the next lane, rotates
// it with its own second column, and gives back the column that then belongs to
// the next lane. The last lane takes the column that rests in the first lane,
// and gives it back unchanged. N / 2 such steps are a sweep, after which each
// pair of columns has been rotated and the columns are in the reverse order.
//
// The square of the norm of each column is computed at the start of each sweep,
// and updated by each rotation. Each matrix is multiplied by a power of two for
// the computation, so that no square of a sum of squares overflows. The sum of
// the squares of all elements, which one column may get, is below 2^62 (64 x 64
// elements below 2^25, f32; 2^509 in f64). A column whose sum of squares is
// below 2^-40 (f32; 2^-432 in f64) is negligible compared with the largest
// element. It is set to zero in the end; before, its sum of squares is taken to
// be 2^-40, so that the square of a dot product that matters does not become
// too small.
//
// For complex columns x and y with x'y = r w, |w| = 1, y is first multiplied by
// the conjugate of w. Then both, whose dot product is now r, are rotated like
// real columns.

#include "../ElementArithmetic.h"
#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "../Shuffle.h"
#include "MatrixScale.h"
#include "ReciprocalRoot.h"
#include "WarpMatrix.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace tile;

namespace {
/// Exponents of powers of two (see the head of the file).
struct Range {
  int64_t target;    ///< the largest element of a scaled matrix
  int64_t leastNorm; ///< the least square of a norm that is not negligible
  int64_t precision; ///< half the distance from 1 to the next value
};

/// Two columns of a matrix, and the squares of their norms.
struct Columns {
  SmallVector<Value> first, second;
  Value firstSquare, secondSquare;
};

/// x' = c x - s y, y' = s x + c y, whose dot product is zero.
struct Rotation {
  Value c, s;
  Value shift; ///< |x|^2 - |x'|^2, which is |y'|^2 - |y|^2
  Value isNeeded;
};

class WarpJacobi : ElementArithmetic {
public:
  WarpJacobi(OneSidedJacobiOp op, ArrayRef<Value> elements, OpBuilder &builder)
      : ElementArithmetic(builder, op.getLoc(),
                          op.getSource().getType().getElementType()),
        order(op.getSource().getType().getShape().back()),
        range(element.isF32() ? Range{24, -40, -24} : Range{248, -432, -53}),
        thread(index,
               op.getSource().getType().getRegister().getRegisterLayout()),
        matrix(index, thread, elements) {}

  ArrayRef<Value> orthogonalize() {
    SmallVector<Value> back;
    for (int64_t i = 0; i < matrix.getNumMatrices(); ++i) {
      clearPadding(i);
      back.push_back(scaleMatrix(*this, matrix, i, order, range.target));
    }
    isRotated.assign(matrix.getNumMatrices(), flag(false));
    if (order > 1)
      emitSweeps();
    for (int64_t i = 0; i < matrix.getNumMatrices(); ++i)
      for (int64_t column = 0; column < columns().getNumValues(); ++column)
        normalise(i, column, back[i]);
    return matrix.getElements();
  }

  /// Returns the norm of each column, in a layout without rows.
  SmallVector<Value> getNorms(const RegisterLayout &layout) {
    SmallVector<Value> values;
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      std::vector<int64_t> coordinates = layout.valueOffset(value);
      int64_t column = columns().getValue(coordinates.back());
      coordinates.pop_back();
      values.push_back(norms[{matrix.getMatrix(coordinates), column}]);
    }
    return values;
  }

  /// Returns the status of each matrix: one if the last sweep still rotated
  /// columns or a norm is not finite, otherwise zero.
  SmallVector<Value> getStatus(const RegisterLayout &layout) {
    SmallVector<Value> values;
    for (int64_t value = 0; value < layout.getNumValues(); ++value)
      values.push_back(
          createStatus(matrix.getMatrix(layout.valueOffset(value))));
    return values;
  }

private:
  static constexpr int64_t kMostSweeps = 30;

  MatrixSide &columns() { return matrix.getColumns(); }
  int64_t getNumRows() { return matrix.getRows().getNumValues(); }
  int64_t getNumPairs() const { return (order + 1) / 2; }
  Value flag(bool value) {
    return arith::ConstantIntOp::create(index.builder, index.loc, value, 1);
  }
  Value power(int64_t exponent) {
    return real(std::ldexp(1.0, static_cast<int>(exponent)));
  }
  Value both(Value a, Value b) { return create<arith::AndIOp>(a, b); }
  Value either(Value a, Value b) { return create<arith::OrIOp>(a, b); }

  /// Sets the padding columns, whose values are arbitrary, to zero.
  void clearPadding(int64_t i) {
    for (int64_t column = 0; column < columns().getNumValues(); ++column) {
      if (columns().getLast(column) < order)
        continue;
      Value isColumn = columns().isBefore(index, column, order);
      for (int64_t row = 0; row < getNumRows(); ++row) {
        Value &value = matrix.get(i, row, column);
        value = select(isColumn, value, zero());
      }
    }
  }

  //--- Lanes ------------------------------------------------------------------

  /// Computes three lane indices: the previous and the next lane in the cycle
  /// of the lanes with columns, and the opposite lane, which is as far from the
  /// last lane as this lane is from the first. In lanes without columns, the
  /// indices may be those of any lane.
  void findNeighbours() {
    assert(columns().getLanes(2) < 2 && "lanes along columns come first");
    Type type = index.builder.getI32Type();
    auto toI32 = [&](Value value) {
      return create<arith::IndexCastUIOp>(type, value);
    };
    Value lane = create<arith::AndIOp>(getThreadIndex(index),
                                       constantI32(kWarpSize - 1));
    Value own = constantI32(0);
    if (columns().getMask() != 0)
      own = toI32(index.div(columns().getPosition(index, 0), 2));
    auto is = [&](arith::CmpIPredicate predicate, int64_t other) {
      return create<arith::CmpIOp>(predicate, own, constantI32(other));
    };
    auto move = [&](Value isEnd, int64_t step) {
      int64_t around = getNumPairs() - 1;
      Value by = index.select(isEnd, constantI32(step < 0 ? around : -around),
                              constantI32(step));
      by = index.select(is(arith::CmpIPredicate::sge, getNumPairs()),
                        constantI32(0), by);
      return create<arith::AddIOp>(lane, by);
    };
    opposite = create<arith::SubIOp>(
        create<arith::AddIOp>(lane, constantI32(getNumPairs() - 1)),
        create<arith::AddIOp>(own, own));
    opposite = create<arith::AndIOp>(opposite, constantI32(kWarpSize - 1));
    isLast = is(arith::CmpIPredicate::eq, getNumPairs() - 1);
    behind = move(isLast, 1);
    before = move(is(arith::CmpIPredicate::eq, 0), -1);
  }

  /// Reads a column and its square from another lane.
  void read(SmallVector<Value> &column, Value &square, Value lane) {
    for (Value &value : column)
      value = readLane(index.builder, index.loc, value, lane);
    square = readLane(index.builder, index.loc, square, lane);
  }

  //--- Rotations --------------------------------------------------------------

  /// Returns a sum over the rows. `accumulate` adds the term of `row` to `sum`,
  /// which is null for zero.
  Value sumRows(llvm::function_ref<Value(int64_t row, Value sum)> accumulate) {
    Value sums[2]; // two chains of additions, to hide their latency
    for (int64_t row = 0; row < getNumRows(); ++row)
      sums[row % 2] = accumulate(row, sums[row % 2]);
    return sums[1] ? add(sums[0], sums[1]) : sums[0];
  }

  /// Returns x'y, with the conjugate of x for complex columns.
  Value dot(ArrayRef<Value> x, ArrayRef<Value> y) {
    return sumRows([&](int64_t row, Value sum) {
      return multiplyAdd(conjugate(x[row]), y[row], sum);
    });
  }

  /// Returns x'x, which is real.
  Value getSquare(ArrayRef<Value> x) {
    return sumRows(
        [&](int64_t row, Value sum) { return addSquare(x[row], sum); });
  }

  /// Returns w + w (1 - |w|^2) / 2 for a complex w whose absolute value is near
  /// one: the absolute value of the result is as near to one as its rounded
  /// parts allow. This matters because a column is multiplied by many such
  /// factors, and the errors of their absolute values accumulate in its norm.
  Value refineUnit(Value w) {
    Value rest = real(1);
    for (Value part : {getReal(w), getImaginary(w)})
      rest = multiplyAdd(negate(part), part, rest);
    return multiplyAdd(multiply(rest, real(0.5)), w, w);
  }

  /// Returns the absolute value of `product`, the dot product of columns x and
  /// y, and multiplies y by a factor of absolute value one so that x'y becomes
  /// the returned value. `square` is the square of the absolute value. If no
  /// rotation is needed, the result is zero and y is unchanged.
  /// For real columns, returns `product`, which may be negative.
  Value makeReal(Value product, Value square, Value isNeeded,
                 SmallVector<Value> &y) {
    if (!isComplex())
      return product;
    Value root = createReciprocalRoot(index.builder, index.loc, square);
    Value factor = refineUnit(multiply(conjugate(product), root));
    factor = select(isNeeded, factor, fromReal(real(1)));
    for (Value &value : y)
      value = multiply(value, factor);
    return index.select(isNeeded, multiply(square, root), real(0));
  }

  /// Returns the rotation by the smaller angle. With d = y'y - x'x and h = 2
  /// x'y its tangent is sgn(d) h / (|d| + sqrt(d^2 + h^2)) (Rutishauser, "The
  /// Jacobi Method for Real Symmetric Matrices", Numer. Math. 9, 1966). The
  /// tangent may be approximate, but c^2 + s^2 may not. If no rotation is
  /// needed, the angle is zero: c = 1 and s = 0.
  /// @p y, if complex, is multiplied so that its dot product with x is real.
  /// @p isExempt is true in lanes that do not rotate; null if all rotate.
  Rotation createRotation(ArrayRef<Value> x, SmallVector<Value> &y,
                          Value xSquare, Value ySquare, Value isExempt) {
    Rotation rotation;
    Value product = dot(x, y);
    auto atLeast = [&](Value square) {
      return create<arith::MaxNumFOp>(square, power(range.leastNorm));
    };
    Value limit =
        multiply(multiply(atLeast(xSquare), atLeast(ySquare)),
                 real(std::ldexp(static_cast<double>(order),
                                 static_cast<int>(2 * range.precision + 2))));
    Value square = addSquare(product, Value());
    rotation.isNeeded = compare(arith::CmpFPredicate::OGT, square, limit);
    if (isExempt)
      rotation.isNeeded =
          both(rotation.isNeeded, create<arith::XOrIOp>(isExempt, flag(true)));
    product = makeReal(product, square, rotation.isNeeded, y);
    Value d = create<arith::SubFOp>(ySquare, xSquare);
    Value h = create<arith::AddFOp>(product, product);
    Value squares = multiplyAdd(d, d, multiply(h, h));
    Value root = multiply(squares, createApproximateReciprocalRoot(
                                       index.builder, index.loc, squares));
    Value part = createApproximateReciprocalRoot(
        index.builder, index.loc,
        create<arith::AddFOp>(create<math::AbsFOp>(d), root));
    Value isNegative = compare(arith::CmpFPredicate::OLT, d, real(0));
    Value tangent =
        multiply(index.select(isNegative, negate(h), h), multiply(part, part));
    tangent = index.select(rotation.isNeeded, tangent, real(0));
    rotation.c = createReciprocalRoot(index.builder, index.loc,
                                      multiplyAdd(tangent, tangent, real(1)));
    rotation.s = multiply(tangent, rotation.c);
    rotation.shift = multiply(tangent, product);
    return rotation;
  }

  /// Returns a x + b y, for real a and b.
  SmallVector<Value> combine(Value a, ArrayRef<Value> x, Value b,
                             ArrayRef<Value> y) {
    SmallVector<Value> sums;
    for (auto [left, right] : llvm::zip_equal(x, y))
      sums.push_back(multiplyAdd(a, left, multiply(b, right)));
    return sums;
  }

  /// Returns x + a y, for a real a.
  SmallVector<Value> addMultiple(ArrayRef<Value> x, Value a,
                                 ArrayRef<Value> y) {
    SmallVector<Value> sums;
    for (auto [left, right] : llvm::zip_equal(x, y))
      sums.push_back(multiplyAdd(a, right, left));
    return sums;
  }

  /// Rotates the two columns of a lane, and swaps their positions. Returns
  /// whether a rotation was needed. A rotation is three shears, by the tangent
  /// of half the angle, the sine, and this tangent again. They take fewer
  /// operations and round less than a rotation by sine and cosine.
  Value rotateWithin(Columns &pair) {
    Rotation rotation =
        createRotation(pair.first, pair.second, pair.firstSquare,
                       pair.secondSquare, /*isExempt=*/Value());
    Value root = createApproximateReciprocalRoot(
        index.builder, index.loc, create<arith::AddFOp>(rotation.c, real(1)));
    Value half = multiply(multiply(rotation.s, root), root);
    Value negated = negate(half);
    Columns rotated;
    SmallVector<Value> sheared = addMultiple(pair.first, negated, pair.second);
    rotated.first = addMultiple(pair.second, rotation.s, sheared);
    rotated.second = addMultiple(sheared, negated, rotated.first);
    rotated.secondSquare =
        create<arith::SubFOp>(pair.firstSquare, rotation.shift);
    rotated.firstSquare =
        create<arith::AddFOp>(pair.secondSquare, rotation.shift);
    pair = rotated;
    return rotation.isNeeded;
  }

  /// Rotates the second column of a lane and the first column of the next lane.
  /// Returns whether a rotation was needed.
  Value rotateAcross(Columns &pair) {
    if (getNumPairs() == 1)
      return flag(false);
    Columns taken = {pair.second, pair.first, pair.secondSquare,
                     pair.firstSquare};
    read(taken.second, taken.secondSquare, behind);
    Rotation rotation =
        createRotation(taken.first, taken.second, taken.firstSquare,
                       taken.secondSquare, isLast);
    // The last lane keeps its own column, and gives the column that it took
    // back unchanged.
    Value none = real(0), one = real(1);
    Value straight = index.select(isLast, none, rotation.c);
    pair.second = combine(index.select(isLast, one, rotation.s), taken.first,
                          straight, taken.second);
    pair.first =
        combine(straight, taken.first,
                index.select(isLast, one, negate(rotation.s)), taken.second);
    pair.secondSquare =
        index.select(isLast, taken.firstSquare,
                     create<arith::AddFOp>(taken.secondSquare, rotation.shift));
    pair.firstSquare =
        index.select(isLast, taken.secondSquare,
                     create<arith::SubFOp>(taken.firstSquare, rotation.shift));
    read(pair.first, pair.firstSquare, before);
    return rotation.isNeeded;
  }

  //--- Sweeps -----------------------------------------------------------------

  SmallVector<Value> getElements() {
    SmallVector<Value> values;
    for (int64_t i = 0; i < matrix.getNumMatrices(); ++i)
      for (int64_t column : {0, 1})
        for (int64_t row = 0; row < getNumRows(); ++row)
          values.push_back(matrix.get(i, row, column));
    return values;
  }

  void setElements(ValueRange values) {
    for (int64_t i = 0; i < matrix.getNumMatrices(); ++i)
      for (int64_t column : {0, 1})
        for (int64_t row = 0; row < getNumRows(); ++row) {
          matrix.get(i, row, column) = values.front();
          values = values.drop_front();
        }
  }

  /// Takes the columns of a matrix from the start of `values`, and removes them
  /// there.
  Columns takeColumns(ValueRange &values) {
    Columns pair;
    for (SmallVector<Value> *column : {&pair.first, &pair.second}) {
      llvm::append_range(*column, values.take_front(getNumRows()));
      values = values.drop_front(getNumRows());
    }
    return pair;
  }

  static void append(SmallVector<Value> &values, const Columns &pair) {
    llvm::append_range(values, pair.first);
    llvm::append_range(values, pair.second);
  }

  /// Emits sweeps until one has nothing to rotate in any matrix of the warp, or
  /// the limit of sweeps is reached.
  void emitSweeps() {
    findNeighbours();
    SmallVector<Value> start = getElements();
    start.append(matrix.getNumMatrices(), flag(true));
    start.push_back(constantI32(0));
    auto loop = scf::WhileOp::create(
        index.builder, index.loc, ValueRange(start).getTypes(), start,
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          scf::ConditionOp::create(builder, loc, isUnfinished(state), state);
        },
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          scf::YieldOp::create(builder, loc, emitSweep(state));
        });
    ValueRange results = loop.getResults();
    isRotated =
        llvm::to_vector(results.drop_back().take_back(matrix.getNumMatrices()));
    setElements(restoreOrder(results.drop_back(1 + matrix.getNumMatrices()),
                             results.back()));
  }

  Value isUnfinished(ValueRange state) {
    Value isAny;
    for (Value rotated : state.drop_back().take_back(matrix.getNumMatrices()))
      isAny = isAny ? either(isAny, rotated) : rotated;
    isAny = NVVM::VoteSyncOp::create(index.builder, index.loc,
                                     index.builder.getI1Type(), constantI32(-1),
                                     isAny, NVVM::VoteSyncKind::any);
    return both(isAny,
                create<arith::CmpIOp>(arith::CmpIPredicate::slt, state.back(),
                                      constantI32(kMostSweeps)));
  }

  SmallVector<Value> emitSweep(ValueRange state) {
    Value sweep = state.back();
    ValueRange columns = state.drop_back(1 + matrix.getNumMatrices());
    SmallVector<Value> start;
    for (int64_t i = 0; i < matrix.getNumMatrices(); ++i) {
      Columns pair = takeColumns(columns);
      append(start, pair);
      start.append(
          {getSquare(pair.first), getSquare(pair.second), flag(false)});
    }
    auto steps = scf::ForOp::create(
        index.builder, index.loc, constantI32(0), constantI32(getNumPairs()),
        constantI32(1), start,
        [&](OpBuilder &builder, Location loc, Value, ValueRange values) {
          scf::YieldOp::create(builder, loc, emitStep(values));
        });
    SmallVector<Value> next, rotated;
    ValueRange results = steps.getResults();
    while (!results.empty()) {
      append(next, takeColumns(results));
      rotated.push_back(results[2]);
      results = results.drop_front(3);
    }
    llvm::append_range(next, rotated);
    next.push_back(create<arith::AddIOp>(sweep, constantI32(1)));
    return next;
  }

  SmallVector<Value> emitStep(ValueRange values) {
    SmallVector<Value> next;
    while (!values.empty()) {
      Columns pair = takeColumns(values);
      pair.firstSquare = values[0];
      pair.secondSquare = values[1];
      Value rotated = values[2];
      values = values.drop_front(3);
      rotated = either(rotated, rotateWithin(pair));
      rotated = either(rotated, rotateAcross(pair));
      append(next, pair);
      next.append({pair.firstSquare, pair.secondSquare, rotated});
    }
    return next;
  }

  /// Reverses the columns if the number of sweeps is odd, as each sweep has
  /// reversed them. The order of the columns of a matrix then does not depend
  /// on other matrices of the warp, which may need more sweeps.
  SmallVector<Value> restoreOrder(ValueRange values, Value sweeps) {
    Value isReversed =
        create<arith::TruncIOp>(index.builder.getI1Type(), sweeps);
    return index.emitIfElse(
        isReversed, values.getTypes(), [&] { return reverse(values); },
        [&] { return llvm::to_vector(values); });
  }

  SmallVector<Value> reverse(ValueRange values) {
    SmallVector<Value> reversed;
    while (!values.empty()) {
      Columns pair = takeColumns(values);
      std::swap(pair.first, pair.second);
      append(reversed, pair);
    }
    if (getNumPairs() > 1)
      for (Value &value : reversed)
        value = readLane(index.builder, index.loc, value, opposite);
    return reversed;
  }

  //--- Results ----------------------------------------------------------------

  void normalise(int64_t i, int64_t column, Value back) {
    SmallVector<Value> elements;
    for (int64_t row = 0; row < getNumRows(); ++row)
      elements.push_back(matrix.get(i, row, column));
    Value square = getSquare(elements);
    Value isZero =
        compare(arith::CmpFPredicate::OLT, square, power(range.leastNorm));
    Value root = createReciprocalRoot(index.builder, index.loc, square);
    Value norm = multiply(multiply(square, root), back);
    norms[{i, column}] = index.select(isZero, real(0), norm);
    root = index.select(isZero, real(0), root);
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value &value = matrix.get(i, row, column);
      value = multiply(value, root);
    }
  }

  Value createStatus(int64_t i) {
    Value isBad = isRotated[i];
    for (int64_t column = 0; column < columns().getNumValues(); ++column) {
      Value norm = norms[{i, column}];
      Value difference = create<arith::SubFOp>(norm, norm);
      isBad = either(
          isBad, compare(arith::CmpFPredicate::UNO, difference, difference));
    }
    Value status = create<arith::ExtUIOp>(index.builder.getI32Type(), isBad);
    for (int64_t bit = 1; bit < kWarpSize; bit *= 2)
      if (columns().getMask() & bit)
        status = either(status, shuffle(index.builder, index.loc, status,
                                        gpu::ShuffleMode::XOR, bit));
    return status;
  }

  int64_t order;
  Range range;
  ThreadCoordinates thread;
  WarpMatrix matrix;
  Value isLast, before, behind, opposite;
  SmallVector<Value> isRotated; ///< in the last sweep, of each matrix
  std::map<std::pair<int64_t, int64_t>, Value> norms; ///< (matrix, column)
};

struct ConvertOneSidedJacobi : OpConversionPattern<OneSidedJacobiOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OneSidedJacobiOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto getLayout = [](TileType type) {
      return type.getRegister().getRegisterLayout();
    };
    TileType type = op.getSource().getType(), norms = op.getNorms().getType();
    WarpJacobi jacobi(op, unpack(rewriter, loc, type, adaptor.getSource()),
                      rewriter);
    SmallVector<SmallVector<Value>> results = {
        pack(rewriter, loc, type, jacobi.orthogonalize())};
    results.push_back(
        pack(rewriter, loc, norms, jacobi.getNorms(getLayout(norms))));
    if (op.getStatus()) {
      TileType status = op.getStatus().getType();
      results.push_back(
          pack(rewriter, loc, status, jacobi.getStatus(getLayout(status))));
    }
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateOneSidedJacobiPatterns(TypeConverter &types,
                                          RewritePatternSet &patterns) {
  patterns.add<ConvertOneSidedJacobi>(types, patterns.getContext());
}
