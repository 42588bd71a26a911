// Householder.cpp - QR factorization by reflections, and Q times other matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factorization goes column by column (LAPACK's geqr2): a reflection makes
// the elements below the diagonal of a column zero, and is applied to the
// columns after it. The reflection's vector replaces these elements. Lanes of
// a warp exchange elements by shuffles, and sums over rows are sums over the
// lanes that hold them. If several warps hold a matrix, the lane of the step's
// column writes the vector to a buffer, from which all lanes read it; two
// buffers alternate, so that a step needs only one barrier.
//
// LAPACK guards each norm against squares that overflow or are too small. Here
// each column is first multiplied by the power of two that brings its largest
// element near 2^50 (f32; 2^480 in f64), which scales only the same column of
// R. The squares of a column, of at most 2^10 rows, can then be summed. If the
// sum of squares of the elements below the diagonal is below 2^-90 (f32; 2^-900
// in f64), they are negligible relative to the column's largest element, and
// count as zero.

#include "../ElementArithmetic.h"
#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "MatrixScale.h"
#include "MatrixSteps.h"
#include "ReciprocalRoot.h"
#include "WarpMatrix.h"
#include "WarpScratch.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
/// The common base of the factorization and the application of its reflections.
class Reflections : public ElementArithmetic {
public:
  /// @param buffer null for lanes of one warp.
  Reflections(ConversionPatternRewriter &rewriter, Location loc, Type type,
              const RegisterLayout &layout, Value buffer)
      : ElementArithmetic(rewriter, loc, type) {
    if (!buffer)
      return;
    lanes = layout.getNumWarps() * kWarpSize /
            cast<MemRefType>(buffer.getType()).getDimSize(0);
    scratch.emplace(index, rewriter, buffer, lanes);
    lane = create<arith::AndIOp>(getThreadIndex(index), constantI32(lanes - 1));
  }

  /// The vector of a reflection, with an element for each of the thread's rows
  /// (null for zero), and its scale.
  struct Vector {
    SmallVector<Value> v;
    Value scale;
  };

  /// Distributes the vectors of a step, one for each matrix, if there is a
  /// buffer: the lane that holds the step's column writes the vectors, and all
  /// lanes read them.
  void handOut(WarpMatrix &matrix, MatrixStep step,
               MutableArrayRef<Vector> vectors) {
    if (!scratch)
      return;
    Value stepIndex = step.current ? step.current : constantI32(step.first);
    // Lanes that hold the same columns as other lanes have larger indices.
    MatrixSide &columns = matrix.getColumns();
    int64_t used = (columns.getMask() + 1) * columns.getNumWarps();
    Value isOwner = create<arith::CmpIOp>(
        arith::CmpIPredicate::eq, lane,
        create<arith::AndIOp>(stepIndex, constantI32(used - 1)));
    Value first =
        create<arith::MulIOp>(create<arith::AndIOp>(stepIndex, constantI32(1)),
                              constantI32(vectors.size()));
    auto rowOf = [&](int64_t i) {
      return create<arith::AddIOp>(first, constantI32(i));
    };
    {
      OpBuilder::InsertionGuard guard(index.builder);
      index.enterIf(isOwner);
      for (auto [i, vector] : llvm::enumerate(vectors)) {
        SmallVector<Value> elements;
        for (Value x : vector.v)
          if (x)
            elements.push_back(x);
        elements.push_back(vector.scale);
        scratch->writePart(rowOf(i), elements);
      }
    }
    scratch->synchronize();
    for (auto [i, vector] : llvm::enumerate(vectors)) {
      int64_t count = llvm::count_if(vector.v, [](Value x) { return !!x; });
      SmallVector<Value> elements = scratch->readPart(rowOf(i), count + 1);
      const Value *next = elements.begin();
      for (Value &x : vector.v)
        if (x)
          x = *next++;
      vector.scale = *next;
    }
  }

  bool hasBuffer() const { return scratch.has_value(); }

  /// Returns, for this thread's row, the value that the lanes of a step's
  /// column have. With a buffer it returns the thread's own value, since the
  /// buffer distributes it later.
  Value fromColumn(WarpMatrix &matrix, MatrixStep step, Value value) {
    return scratch ? value : step.fromColumn(index, matrix, value);
  }

  /// Subtracts scale * v * (v' a) from each column a of a matrix after the
  /// step's column, or from all columns if no step is given.
  /// @p v has a value for each value along the rows, null if it is zero in all
  /// lanes.
  void apply(WarpMatrix &matrix, int64_t i, ArrayRef<Value> v, Value scale,
             std::optional<MatrixStep> after, int64_t numColumns) {
    MatrixSide &columns = matrix.getColumns();
    Value negated = negate(scale);
    for (int64_t column = 0; column < columns.getNumValues(); ++column) {
      if (columns.getFirst(column) >= numColumns)
        break;
      if (after && !after->isBefore(columns, column))
        continue;
      Value dot;
      for (auto [row, factor] : llvm::enumerate(v))
        if (factor)
          dot = multiplyAdd(conjugate(factor), matrix.get(i, row, column), dot);
      Value multiple = multiply(negated, matrix.sumRows(dot));
      if (after)
        multiple =
            select(after->isBehind(index, columns, column), multiple, zero());
      for (auto [row, factor] : llvm::enumerate(v))
        if (factor) {
          Value &value = matrix.get(i, row, column);
          value = multiplyAdd(factor, multiple, value);
        }
    }
  }

  /// Appends to `state` the elements of a matrix in all rows from `step.first`
  /// on: those that the steps of the range `step` change.
  static void appendRows(SmallVector<Value *> &state, WarpMatrix &matrix,
                         MatrixStep step) {
    for (int64_t i = 0; i < matrix.getNumMatrices(); ++i)
      for (int64_t row = 0; row < matrix.getRows().getNumValues(); ++row)
        if (matrix.getRows().getLast(row) >= step.first)
          for (int64_t column = 0; column < matrix.getColumns().getNumValues();
               ++column)
            state.push_back(&matrix.get(i, row, column));
  }

  /// Sets the padding rows, whose values are arbitrary, to zero.
  void clearPadding(WarpMatrix &matrix, int64_t i, int64_t numRows) {
    MatrixSide &rows = matrix.getRows();
    for (int64_t row = 0; row < rows.getNumValues(); ++row) {
      if (rows.getLast(row) < numRows)
        continue;
      Value isRow = rows.isBefore(index, row, numRows);
      for (int64_t column = 0; column < matrix.getColumns().getNumValues();
           ++column) {
        Value &value = matrix.get(i, row, column);
        value = select(isRow, value, zero());
      }
    }
  }

private:
  std::optional<WarpScratch> scratch;
  int64_t lanes = 0; ///< that hold a matrix and share a part of the buffer
  Value lane;        ///< index of this lane among them
};

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

class WarpHouseholder : Reflections {
public:
  WarpHouseholder(HouseholderOp op, ArrayRef<Value> elements,
                  ConversionPatternRewriter &rewriter)
      : Reflections(rewriter, op.getLoc(),
                    op.getSource().getType().getElementType(),
                    op.getSource().getType().getRegister().getRegisterLayout(),
                    op.getScratch()),
        shape(op.getSource().getType().getShape().take_back(2)),
        thread(index,
               op.getSource().getType().getRegister().getRegisterLayout()),
        matrix(index, thread, elements),
        scales(matrix.getNumMatrices() * columns().getNumValues(), zero()) {}

  ArrayRef<Value> factor() {
    int64_t count = matrix.getNumMatrices();
    SmallVector<Value> back; // of (matrix, column)
    for (int64_t i = 0; i < count; ++i) {
      clearPadding(matrix, i, getNumRows());
      for (int64_t column = 0; column < columns().getNumValues(); ++column)
        back.push_back(
            scaleColumn(*this, matrix, i, column, element.isF32() ? 50 : 480));
    }
    // The steps of the matrices alternate, since each step waits for the one
    // before it.
    emitSteps(
        index, groupSteps(columns(), getNumColumns(), getNumRows()),
        /*isReversed=*/false, [&](MatrixStep step) { return getState(step); },
        [&](MatrixStep step) { reflect(step); });
    for (int64_t i = 0; i < count; ++i)
      scaleTriangle(i, back);
    return matrix.getElements();
  }

  /// Returns the scales of the reflections, in a layout without rows.
  SmallVector<Value> getScales(const RegisterLayout &layout) {
    SmallVector<Value> values;
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      std::vector<int64_t> coordinates = layout.valueOffset(value);
      int64_t column = columns().getValue(coordinates.back());
      coordinates.pop_back();
      values.push_back(
          scales[getColumn(matrix.getMatrix(coordinates), column)]);
    }
    return values;
  }

private:
  MatrixSide &rows() { return matrix.getRows(); }
  MatrixSide &columns() { return matrix.getColumns(); }
  int64_t getNumRows() { return shape.front(); }
  int64_t getNumColumns() { return shape.back(); }
  int64_t getColumn(int64_t i, int64_t column) {
    return i * columns().getNumValues() + column;
  }

  /// Multiplies R by the scales `back`. The reflections below it are not
  /// changed.
  void scaleTriangle(int64_t i, ArrayRef<Value> back) {
    for (int64_t row = 0; row < rows().getNumValues(); ++row)
      for (int64_t column = 0; column < columns().getNumValues(); ++column) {
        if (rows().getFirst(row) > columns().getLast(column))
          continue;
        Value isBelow;
        if (rows().getLast(row) > columns().getFirst(column))
          isBelow = index.less(columns().getPosition(index, column),
                               rows().getPosition(index, row));
        Value &value = matrix.get(i, row, column);
        Value scaled = multiply(value, back[getColumn(i, column)]);
        value = isBelow ? select(isBelow, value, scaled) : scaled;
      }
  }

  //--- A reflection -----------------------------------------------------------

  /// H = I - scale v v' with H' a = diagonal e_1, v_1 = 1.
  struct Reflection {
    Vector vector;
    Value diagonal;
  };

  /// Returns the values that the steps of the range `step` change.
  SmallVector<Value *> getState(MatrixStep step) {
    SmallVector<Value *> state;
    appendRows(state, matrix, step);
    for (Value &scale : scales)
      state.push_back(&scale);
    return state;
  }

  void reflect(MatrixStep step) {
    SmallVector<Vector> vectors;
    for (int64_t i = 0; i < matrix.getNumMatrices(); ++i) {
      Reflection reflection = createReflection(i, step);
      noteReflection(i, step, reflection);
      // The vector of H', which maps the column to its new elements.
      vectors.push_back(
          {reflection.vector.v, conjugate(reflection.vector.scale)});
    }
    if (step.first + 1 == getNumColumns())
      return;
    handOut(matrix, step, vectors);
    for (auto [i, vector] : llvm::enumerate(vectors))
      apply(matrix, i, vector.v, vector.scale, step, getNumColumns());
  }

  /// Returns this thread's elements of the step's column below its row, and the
  /// element in that row.
  std::pair<SmallVector<Value>, Value> readColumn(int64_t i, MatrixStep step) {
    int64_t own = columns().getValue(step.first);
    SmallVector<Value> below(rows().getNumValues());
    Value at;
    for (int64_t row = 0; row < rows().getNumValues(); ++row) {
      if (!step.reaches(rows(), row) && !step.isBefore(rows(), row))
        continue;
      Value x = fromColumn(matrix, step, matrix.get(i, row, own));
      if (step.reaches(rows(), row))
        at = at ? select(step.isAt(index, rows(), row), x, at) : x;
      if (step.isBefore(rows(), row))
        below[row] = select(step.isBehind(index, rows(), row), x, zero());
    }
    return {below, step.fromRow(index, matrix, at)};
  }

  /// Computes scale = (b - a) / b and v = x / (a - b), for b with the magnitude
  /// of (a, x) and the sign opposite to the real part of a (LAPACK's larfg).
  /// With a buffer, each lane computes with its own column, which remains
  /// unchanged in v unless it is the step's column.
  Reflection createReflection(int64_t i, MatrixStep step) {
    auto [below, a] = readColumn(i, step);
    Reflection reflection = {{below, zero()}, a};
    Value squares;
    for (Value x : below)
      if (x)
        squares = addSquare(x, squares);
    if (!squares && !isComplex())
      return reflection;
    if (squares)
      squares = matrix.sumRows(squares);
    // The resulting diagonal is real.
    Value re = getReal(a);
    if (isComplex())
      squares = RealArithmetic::multiplyAdd(getImaginary(a), getImaginary(a),
                                            squares);
    Value isZero = compare(arith::CmpFPredicate::OLT, squares,
                           real(std::ldexp(1.0, element.isF32() ? -90 : -900)));
    Value square = create<math::FmaOp>(re, re, squares);
    Value root = createReciprocalRoot(index.builder, index.loc, square);
    Value size = create<math::AbsFOp>(re);
    Value norm = create<arith::MulFOp>(square, root);
    auto withSign = [&, re = re](Value magnitude) {
      return create<math::CopySignOp>(magnitude, re);
    };
    Value scale = create<math::FmaOp>(size, root, real(1));
    if (isComplex())
      scale = makeComplex(
          scale, RealArithmetic::multiply(getImaginary(a), withSign(root)));
    reflection.vector.scale = select(isZero, zero(), scale);
    reflection.diagonal = fromReal(
        index.select(isZero, re, RealArithmetic::negate(withSign(norm))));
    Value factor =
        select(isZero, zero(), createFactor(a, withSign, size, norm));
    if (hasBuffer())
      factor = select(isOwnColumn(step), factor, fromReal(real(1)));
    for (auto [row, x] : llvm::enumerate(reflection.vector.v)) {
      if (x)
        x = multiply(x, factor);
      if (step.reaches(rows(), row))
        x = select(step.isAt(index, rows(), row), fromReal(real(1)),
                   x ? x : zero());
    }
    return reflection;
  }

  /// Returns the reciprocal of a - b, whose magnitude is near that of the
  /// column.
  Value createFactor(Value a, llvm::function_ref<Value(Value)> withSign,
                     Value size, Value norm) {
    Value larger = create<arith::AddFOp>(size, norm);
    if (!isComplex())
      return withSign(createNormalReciprocal(larger));
    Value difference = makeComplex(withSign(larger), getImaginary(a));
    return multiply(conjugate(difference),
                    createNormalReciprocal(addSquare(difference, Value())));
  }

  Value isOwnColumn(MatrixStep step) {
    return step.isAt(index, columns(), columns().getValue(step.first));
  }

  /// Replaces the step's column by the vector, and its diagonal element by that
  /// of R.
  void noteReflection(int64_t i, MatrixStep step,
                      const Reflection &reflection) {
    int64_t own = columns().getValue(step.first);
    Value isColumn = isOwnColumn(step);
    // With a buffer, lanes compute the elements of other columns unchanged, so
    // that they can write them.
    Value isChanged = hasBuffer() ? Value() : isColumn;
    Value &scale = scales[getColumn(i, own)];
    scale = select(isColumn, reflection.vector.scale, scale);
    for (auto [row, x] : llvm::enumerate(reflection.vector.v)) {
      Value &value = matrix.get(i, row, own);
      if (step.reaches(rows(), row)) {
        Value isTop = step.isAt(index, rows(), row);
        value = select(index.both(isTop, isColumn), reflection.diagonal, value);
      }
      if (x && step.isBefore(rows(), row))
        value = select(index.both(step.isBehind(index, rows(), row), isChanged),
                       x, value);
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
                       ConversionPatternRewriter &rewriter)
      : Reflections(rewriter, op.getLoc(), op.getType().getElementType(),
                    getLayout(op.getReflections()), op.getScratch()),
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
    emitSteps(
        index, groupSteps(vectors.getColumns(), numColumns, numRows),
        /*isReversed=*/!op.getTransposed(),
        [&](MatrixStep step) {
          SmallVector<Value *> state;
          appendRows(state, sides, step);
          return state;
        },
        [&](MatrixStep step) { reflect(step); });
    return sides.getElements();
  }

private:
  static RegisterLayout getLayout(Value tile) {
    return cast<TileType>(tile.getType()).getRegister().getRegisterLayout();
  }

  void reflect(MatrixStep step) {
    SmallVector<Vector> reflections;
    for (int64_t i = 0; i < sides.getNumMatrices(); ++i)
      reflections.push_back({readVector(i, step), readScale(i, step)});
    if (op.getTransposed())
      for (Vector &vector : reflections)
        vector.scale = conjugate(vector.scale);
    handOut(vectors, step, reflections);
    for (auto [i, vector] : llvm::enumerate(reflections))
      apply(sides, i, vector.v, vector.scale, getColumnBefore(step),
            op.getType().getShape().back());
  }

  /// Sets the elements below the diagonal of a right-hand side to zero.
  void clearBelow(int64_t i) {
    MatrixSide &rows = sides.getRows(), &columns = sides.getColumns();
    for (int64_t row = 0; row < rows.getNumValues(); ++row)
      for (int64_t column = 0; column < columns.getNumValues(); ++column)
        if (rows.getLast(row) > columns.getFirst(column)) {
          Value isBelow = index.less(columns.getPosition(index, column),
                                     rows.getPosition(index, row));
          Value &value = sides.get(i, row, column);
          value = select(isBelow, zero(), value);
        }
  }

  /// Returns the step whose column is directly before the first column that the
  /// reflection of `step` changes; none if it changes all columns.
  std::optional<MatrixStep> getColumnBefore(MatrixStep step) {
    if (!op.getTriangular() || step.last == 0)
      return std::nullopt;
    --step.first;
    --step.last;
    if (step.current)
      step.current = create<arith::SubIOp>(step.current, constantI32(1));
    return step;
  }

  /// Returns the elements of a reflection's vector that belong to this thread's
  /// rows.
  SmallVector<Value> readVector(int64_t i, MatrixStep step) {
    MatrixSide &rows = vectors.getRows();
    int64_t own = vectors.getColumns().getValue(step.first);
    SmallVector<Value> v(rows.getNumValues());
    for (int64_t row = 0; row < rows.getNumValues(); ++row) {
      if (step.isBefore(rows, row))
        v[row] =
            select(step.isBehind(index, rows, row),
                   fromColumn(vectors, step, vectors.get(i, row, own)), zero());
      if (step.reaches(rows, row))
        v[row] = select(step.isAt(index, rows, row), fromReal(real(1)),
                        v[row] ? v[row] : zero());
    }
    return v;
  }

  Value readScale(int64_t i, MatrixStep step) {
    const RegisterLayout layout = getLayout(op.getScales());
    int64_t own = vectors.getColumns().getValue(step.first);
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      std::vector<int64_t> coordinates = layout.valueOffset(value);
      int64_t column = vectors.getColumns().getValue(coordinates.back());
      coordinates.pop_back();
      if (vectors.getMatrix(coordinates) == i && column == own)
        return fromColumn(vectors, step, scales[value]);
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
