// Householder.cpp - A = Q R of matrices that a warp holds, and Q times others
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Column by column (LAPACK's geqr2): a reflection makes what is below the
// diagonal of a column zero, and is applied to the columns behind it. Its
// vector has what it replaces. Sums over rows are sums over the lanes that have
// them.
//
// LAPACK guards each norm against squares that overflow or are too small. Here
// a matrix is first multiplied by the power of two that brings its largest
// element near 2^50 (f32; 2^480 in f64): squares of all elements, of at most
// 2^10 rows, can then be summed, and a sum that is below 2^-90 is one of
// elements without meaning beside the largest, and counts as zero.

#include "MatrixScale.h"
#include "Patterns.h"
#include "RealArithmetic.h"
#include "ReciprocalRoot.h"
#include "RegisterTiles.h"
#include "WarpMatrix.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
/// What the factors and their application have in common.
class Reflections : public RealArithmetic {
public:
  using RealArithmetic::RealArithmetic;

  /// Subtracts scale * v * (v' a) from each column a of a matrix from column
  /// `begin` on.
  /// @p v of each value along the rows; null for zero in all lanes.
  void apply(WarpMatrix &matrix, int64_t number, ArrayRef<Value> v, Value scale,
             int64_t begin, int64_t numColumns) {
    MatrixSide &columns = matrix.getColumns();
    Value negated = create<arith::NegFOp>(scale);
    for (int64_t column = columns.findReaching(begin);
         column < columns.getNumValues(); ++column) {
      if (columns.getFirst(column) >= numColumns)
        break;
      Value dot;
      for (auto [row, factor] : llvm::enumerate(v))
        if (factor)
          dot = multiplyAdd(factor, matrix.get(number, row, column), dot);
      Value multiple = create<arith::MulFOp>(negated, matrix.sumRows(dot));
      multiple = index.select(columns.isBehind(index, column, begin - 1),
                              multiple, real(0));
      for (auto [row, factor] : llvm::enumerate(v))
        if (factor) {
          Value &value = matrix.get(number, row, column);
          value = multiplyAdd(factor, multiple, value);
        }
    }
  }

  /// Zero in the rows of padding, which may be anything.
  void clearPadding(WarpMatrix &matrix, int64_t number, int64_t numRows) {
    MatrixSide &rows = matrix.getRows();
    for (int64_t row = 0; row < rows.getNumValues(); ++row) {
      if (rows.getLast(row) < numRows)
        continue;
      Value isRow = rows.isBefore(index, row, numRows);
      for (int64_t column = 0; column < matrix.getColumns().getNumValues();
           ++column) {
        Value &value = matrix.get(number, row, column);
        value = index.select(isRow, value, real(0));
      }
    }
  }
};

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

class WarpHouseholder : Reflections {
public:
  WarpHouseholder(HouseholderOp op, ArrayRef<Value> elements,
                  OpBuilder &builder)
      : Reflections(builder, op.getLoc(),
                    op.getSource().getType().getElementType()),
        shape(op.getSource().getType().getShape().take_back(2)),
        thread(index,
               op.getSource().getType().getRegister().getRegisterLayout()),
        matrix(index, thread, elements),
        scales(matrix.getNumMatrices() * columns().getNumValues()) {}

  ArrayRef<Value> factor() {
    int64_t count = matrix.getNumMatrices();
    SmallVector<Value> back;
    for (int64_t i = 0; i < count; ++i) {
      clearPadding(matrix, i, getNumRows());
      back.push_back(scaleMatrix(*this, matrix, i, getNumColumns(),
                                 element.isF32() ? 50 : 480));
    }
    // Matrices in turn, since each step waits for the one before it.
    for (int64_t step = 0; step < getNumColumns(); ++step)
      for (int64_t i = 0; i < count; ++i)
        reflect(i, step);
    for (int64_t i = 0; i < count; ++i)
      scaleTriangle(i, back[i]);
    return matrix.getElements();
  }

  /// The scales of the reflections, in a layout without rows.
  SmallVector<Value> getScales(const RegisterLayout &layout) {
    SmallVector<Value> numbers;
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      std::vector<int64_t> place = layout.valueOffset(value);
      int64_t column = columns().getValue(place.back());
      place.pop_back();
      Value noted = scales[getColumn(matrix.getMatrix(place), column)];
      numbers.push_back(noted ? noted : real(0));
    }
    return numbers;
  }

private:
  MatrixSide &rows() { return matrix.getRows(); }
  MatrixSide &columns() { return matrix.getColumns(); }
  int64_t getNumRows() { return shape.front(); }
  int64_t getNumColumns() { return shape.back(); }
  int64_t getColumn(int64_t i, int64_t column) {
    return i * columns().getNumValues() + column;
  }

  /// Multiplies R, which the reflections below it are not part of.
  void scaleTriangle(int64_t i, Value back) {
    for (int64_t row = 0; row < rows().getNumValues(); ++row)
      for (int64_t column = 0; column < columns().getNumValues(); ++column) {
        if (rows().getFirst(row) > columns().getLast(column))
          continue;
        Value isBelow;
        if (rows().getLast(row) > columns().getFirst(column))
          isBelow = index.less(columns().getPlace(index, column),
                               rows().getPlace(index, row));
        Value &value = matrix.get(i, row, column);
        Value scaled = create<arith::MulFOp>(value, back);
        value = isBelow ? index.select(isBelow, value, scaled) : scaled;
      }
  }

  //--- A reflection -----------------------------------------------------------

  /// H = I - scale v v' with H a = diagonal e_1, v_1 = 1.
  struct Reflection {
    SmallVector<Value> v; ///< null for zero in all lanes
    Value scale, diagonal;
  };

  void reflect(int64_t i, int64_t step) {
    Reflection reflection = createReflection(i, step);
    noteReflection(i, step, reflection);
    if (step + 1 == getNumColumns())
      return;
    apply(matrix, i, reflection.v, reflection.scale, step + 1, getNumColumns());
  }

  /// scale = (b - a) / b and v = x / (a - b), for b of the size of (a, x) and
  /// of the sign that a has not (LAPACK's larfg).
  Reflection createReflection(int64_t i, int64_t step) {
    int64_t own = columns().getValue(step), top = rows().getValue(step);
    SmallVector<Value> below(rows().getNumValues());
    Value squares;
    for (int64_t row = rows().findReaching(step + 1);
         row < rows().getNumValues(); ++row) {
      Value x = matrix.fromColumn(matrix.get(i, row, own), step);
      below[row] = index.select(rows().isBehind(index, row, step), x, real(0));
      squares = multiplyAdd(below[row], below[row], squares);
    }
    Value a = matrix.fromElement(matrix.get(i, top, own), step, step);
    Reflection reflection = {below, real(0), a};
    if (!squares)
      return reflection;
    squares = matrix.sumRows(squares);
    Value isZero = compare(arith::CmpFPredicate::OLT, squares,
                           real(std::ldexp(1.0, element.isF32() ? -90 : -900)));
    Value square = create<math::FmaOp>(a, a, squares);
    Value root = createReciprocalRoot(index.builder, index.loc, square);
    Value size = create<math::AbsFOp>(a);
    Value norm = create<arith::MulFOp>(square, root);
    auto withSign = [&](Value magnitude) {
      return create<math::CopySignOp>(magnitude, a);
    };
    reflection.scale =
        index.select(isZero, real(0), create<math::FmaOp>(size, root, real(1)));
    reflection.diagonal =
        index.select(isZero, a, create<arith::NegFOp>(withSign(norm)));
    Value factor =
        index.select(isZero, real(0),
                     create<arith::DivFOp>(withSign(real(1)),
                                           create<arith::AddFOp>(size, norm)));
    for (Value &x : reflection.v)
      if (x)
        x = create<arith::MulFOp>(x, factor);
    Value &first = reflection.v[top];
    first = index.select(rows().isPlace(index, top, step), real(1),
                         first ? first : real(0));
    return reflection;
  }

  /// Puts the vector in place of the column, and R's element on the diagonal.
  void noteReflection(int64_t i, int64_t step, const Reflection &reflection) {
    int64_t own = columns().getValue(step), top = rows().getValue(step);
    Value isColumn = columns().isPlace(index, own, step);
    Value &scale = scales[getColumn(i, own)];
    scale = scale ? index.select(isColumn, reflection.scale, scale)
                  : reflection.scale;
    for (auto [row, x] : llvm::enumerate(reflection.v)) {
      Value &value = matrix.get(i, row, own);
      if (int64_t(row) == top) {
        Value isTop = rows().isPlace(index, row, step);
        value = index.select(index.both(isTop, isColumn), reflection.diagonal,
                             value);
      }
      if (x && rows().getLast(row) > step)
        value = index.select(
            index.both(rows().isBehind(index, row, step), isColumn), x, value);
    }
  }

  ArrayRef<int64_t> shape; ///< rows and columns
  ThreadCoordinates thread;
  WarpMatrix matrix;
  SmallVector<Value> scales; ///< of (matrix, column)
};

struct ConvertHouseholder : OpConversionPattern<HouseholderOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(HouseholderOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getSource().getType();
    TileType scales = op.getScales().getType();
    WarpHouseholder qr(op, unpack(rewriter, loc, type, adaptor.getSource()),
                       rewriter);
    SmallVector<SmallVector<Value>> results = {
        pack(rewriter, loc, type, qr.factor())};
    results.push_back(
        pack(rewriter, loc, scales,
             qr.getScales(scales.getRegister().getRegisterLayout())));
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Q times other matrices
//===----------------------------------------------------------------------===//

class WarpApplyHouseholder : Reflections {
public:
  WarpApplyHouseholder(ApplyHouseholderOp op, ArrayRef<Value> reflections,
                       ArrayRef<Value> scales, ArrayRef<Value> elements,
                       OpBuilder &builder)
      : Reflections(builder, op.getLoc(), op.getType().getElementType()),
        op(op), vectorsThread(index, getLayout(op.getReflections())),
        sidesThread(index, getLayout(op.getRhs())),
        vectors(index, vectorsThread, reflections),
        sides(index, sidesThread, elements), scales(scales) {}

  ArrayRef<Value> multiply() {
    ArrayRef<int64_t> shape = op.getReflections().getType().getShape();
    int64_t numRows = shape[shape.size() - 2], numColumns = shape.back();
    for (int64_t i = 0; i < sides.getNumMatrices(); ++i) {
      clearPadding(vectors, i, numRows);
      clearPadding(sides, i, numRows);
      if (op.getTriangular())
        clearBelow(i);
    }
    for (int64_t k = 0; k < numColumns; ++k)
      for (int64_t i = 0; i < sides.getNumMatrices(); ++i) {
        int64_t step = op.getTransposed() ? k : numColumns - 1 - k;
        int64_t before = op.getTriangular() ? step : 0;
        apply(sides, i, readVector(i, step), readScale(i, step), before,
              op.getType().getShape().back());
      }
    return sides.getElements();
  }

private:
  static RegisterLayout getLayout(Value tile) {
    return cast<TileType>(tile.getType()).getRegister().getRegisterLayout();
  }

  /// Zero below the diagonal.
  void clearBelow(int64_t i) {
    MatrixSide &rows = sides.getRows(), &columns = sides.getColumns();
    for (int64_t row = 0; row < rows.getNumValues(); ++row)
      for (int64_t column = 0; column < columns.getNumValues(); ++column)
        if (rows.getLast(row) > columns.getFirst(column)) {
          Value isBelow = index.less(columns.getPlace(index, column),
                                     rows.getPlace(index, row));
          Value &value = sides.get(i, row, column);
          value = index.select(isBelow, real(0), value);
        }
  }

  /// The elements of a reflection's vector that belong to this thread's rows.
  SmallVector<Value> readVector(int64_t i, int64_t step) {
    MatrixSide &rows = vectors.getRows();
    int64_t own = vectors.getColumns().getValue(step);
    SmallVector<Value> v(rows.getNumValues());
    for (int64_t row = rows.findReaching(step); row < rows.getNumValues();
         ++row) {
      Value x = real(0);
      if (rows.getLast(row) > step)
        x = index.select(rows.isBehind(index, row, step),
                         vectors.fromColumn(vectors.get(i, row, own), step), x);
      if (row == rows.getValue(step))
        x = index.select(rows.isPlace(index, row, step), real(1), x);
      v[row] = x;
    }
    return v;
  }

  Value readScale(int64_t i, int64_t step) {
    const RegisterLayout layout = getLayout(op.getScales());
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      std::vector<int64_t> place = layout.valueOffset(value);
      int64_t column = vectors.getColumns().getValue(place.back());
      place.pop_back();
      if (vectors.getMatrix(place) == i &&
          column == vectors.getColumns().getValue(step))
        return vectors.fromColumn(scales[value], step);
    }
    llvm_unreachable("a reflection has a scale");
  }

  ApplyHouseholderOp op;
  ThreadCoordinates vectorsThread, sidesThread;
  WarpMatrix vectors, sides;
  SmallVector<Value> scales;
};

struct ConvertApplyHouseholder : OpConversionPattern<ApplyHouseholderOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ApplyHouseholderOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getType();
    WarpApplyHouseholder product(
        op,
        unpack(rewriter, loc, op.getReflections().getType(),
               adaptor.getReflections()),
        unpack(rewriter, loc, op.getScales().getType(), adaptor.getScales()),
        unpack(rewriter, loc, type, adaptor.getRhs()), rewriter);
    replaceWithPacks(rewriter, op,
                     {pack(rewriter, loc, type, product.multiply())});
    return success();
  }
};
} // namespace

void tile::populateHouseholderPatterns(TypeConverter &types,
                                       RewritePatternSet &patterns) {
  patterns.add<ConvertHouseholder, ConvertApplyHouseholder>(
      types, patterns.getContext());
}
