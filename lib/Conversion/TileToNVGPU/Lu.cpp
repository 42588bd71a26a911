// Lu.cpp - P' A = L U of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Right-looking, column by column. Rows stay where they are: a step's pivot is
// searched for in all lanes of a column, its row is read from the lane that has
// it, and subtracted from the rows that are left. To exchange rows would take
// twice the selections, since which registers they are in is known at run time
// alone.
//
// Among equal candidates LAPACK takes the first row as they stand after its
// exchanges. So each row has a rank, the place that it would have there, and
// what is searched for has both numbers, rank * 64 + row, or -1 for a row that
// is done, or that is padding.

#include "FactorStatus.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "Shuffle.h"
#include "WarpMatrix.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

namespace {
class WarpLu {
public:
  WarpLu(LuOp op, ArrayRef<Value> elements, OpBuilder &builder)
      : type(op.getSource().getType()), index(builder, op.getLoc()),
        thread(index, type.getRegister().getRegisterLayout()),
        matrix(index, thread, elements), hasStatus(op.getStatus()),
        places(getNumRows()), ranked(matrix.getNumMatrices() * getNumRows()),
        permutation(ranked.size()), statuses(matrix.getNumMatrices()) {}

  /// The elements of the factors, in the rows of the source.
  ArrayRef<Value> factor() {
    rankRows();
    // Matrices in turn, since each step waits for the one before it.
    for (int64_t step = 0; step < getOrder(); ++step)
      for (int64_t i = 0; i < matrix.getNumMatrices(); ++i)
        eliminate(i, step);
    return matrix.getElements();
  }

  /// The numbers of the rows of the source that each row of the factors is in,
  /// in a layout without columns.
  SmallVector<Value> getPermutation(const RegisterLayout &layout) {
    SmallVector<Value> numbers;
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      std::vector<int64_t> place = layout.valueOffset(value);
      int64_t row = rows().getValue(place.back());
      place.pop_back();
      Value noted = row < getNumRows()
                        ? permutation[getRow(matrix.getMatrix(place), row)]
                        : Value();
      numbers.push_back(noted ? noted : number(0));
    }
    return numbers;
  }

  /// For each matrix, the number from one on of the first column whose pivot is
  /// zero; zero for none.
  ArrayRef<Value> getStatus() { return statuses; }

private:
  static constexpr int64_t kRows = 64; ///< as many as a matrix has

  /// A candidate: the bits of its size, and its row with the rank.
  struct Pivot {
    Value size, ranked;
  };
  /// Of a step's pivot: where its row is.
  struct PivotRow {
    Value lanes;                ///< bits of the number of the lane that has it
    SmallVector<Value> isValue; ///< whether it is this thread's value
  };

  MatrixSide &rows() { return matrix.getRows(); }
  MatrixSide &columns() { return matrix.getColumns(); }
  int64_t getOrder() { return type.getShape().back(); }
  /// A thread's values along the rows, without those that are padding in all
  /// lanes.
  int64_t getNumRows() {
    int64_t count = 0;
    while (count < rows().getNumValues() && rows().getFirst(count) < getOrder())
      ++count;
    return count;
  }
  int64_t getRow(int64_t i, int64_t row) { return i * getNumRows() + row; }

  /// Before the first step the rank of a row is its number.
  void rankRows() {
    Type i32 = index.builder.getI32Type();
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value place = rows().getPlace(index, row);
      places[row] = place ? arith::IndexCastUIOp::create(index.builder,
                                                         index.loc, i32, place)
                          : number(rows().getFirst(row));
      Value both = create<arith::MulIOp>(places[row], number(kRows + 1));
      both = index.select(rows().isBefore(index, row, getOrder()), both,
                          number(-1));
      for (int64_t i = 0; i < matrix.getNumMatrices(); ++i)
        ranked[getRow(i, row)] = both;
    }
  }

  void eliminate(int64_t i, int64_t step) {
    SmallVector<Value> column = readColumn(i, step);
    Pivot pivot = findPivot(i, column);
    PivotRow row = takeOut(i, step, pivot);
    bool isLast = step + 1 == getOrder();
    if (isLast && !hasStatus)
      return;
    Value value = readPivotRow(row, column);
    Value isUsable = compare(arith::CmpFPredicate::UNE, value, real(0));
    if (hasStatus)
      noteStatus(index, statuses[i], step, isUsable);
    if (isLast)
      return;
    SmallVector<Value> factors = createFactors(i, column, value, isUsable);
    noteFactors(i, step, factors);
    subtract(i, step, row, factors);
  }

  /// The elements of a column that belong to this thread's rows.
  SmallVector<Value> readColumn(int64_t i, int64_t step) {
    int64_t own = columns().getValue(step);
    SmallVector<Value> column(getNumRows());
    for (auto [row, element] : llvm::enumerate(column))
      element = matrix.fromColumn(matrix.get(i, row, own), step);
    return column;
  }

  /// Of all rows that are left the one with the largest element.
  Pivot findPivot(int64_t i, ArrayRef<Value> column) {
    Pivot best;
    for (auto [row, element] : llvm::enumerate(column)) {
      Value size = createSize(element);
      Value none = arith::ConstantIntOp::create(index.builder, index.loc,
                                                size.getType(), -1);
      Pivot other = {index.select(isLeft(i, row), size, none),
                     ranked[getRow(i, row)]};
      best = row == 0 ? other : choose(best, other);
    }
    for (int64_t bit = 1; bit < kWarpSize; bit *= 2)
      if (rows().getMask() & bit)
        best = choose(best, {readNeighbour(best.size, bit),
                             readNeighbour(best.ranked, bit)});
    return best;
  }

  /// The bits of a number without its sign, which are in the order of sizes.
  /// NaNs are larger than all numbers, and equal.
  Value createSize(Value element) {
    Type bits =
        index.builder.getIntegerType(element.getType().getIntOrFloatBitWidth());
    const llvm::fltSemantics &semantics =
        cast<FloatType>(element.getType()).getFloatSemantics();
    auto constant = [&](const APInt &value) {
      return arith::ConstantOp::create(
          index.builder, index.loc, index.builder.getIntegerAttr(bits, value));
    };
    APInt infinity = APFloat::getInf(semantics).bitcastToAPInt();
    Value size = create<arith::AndIOp>(
        arith::BitcastOp::create(index.builder, index.loc, bits, element),
        constant(APInt::getSignedMaxValue(infinity.getBitWidth())));
    return create<arith::MinUIOp>(size, constant(infinity + 1));
  }

  /// The larger one; of equal ones that of the lower rank.
  Pivot choose(const Pivot &a, const Pivot &b) {
    Value isLarger = compare(arith::CmpIPredicate::sgt, b.size, a.size);
    Value isEqual = compare(arith::CmpIPredicate::eq, b.size, a.size);
    Value isBefore = compare(arith::CmpIPredicate::slt, b.ranked, a.ranked);
    Value isChosen = create<arith::OrIOp>(
        isLarger, create<arith::AndIOp>(isEqual, isBefore));
    return {index.select(isChosen, b.size, a.size),
            index.select(isChosen, b.ranked, a.ranked)};
  }

  /// Notes a step's row, which is done, and gives its rank to the row whose
  /// rank the step is.
  PivotRow takeOut(int64_t i, int64_t step, const Pivot &pivot) {
    Value rankMask = number(-kRows);
    Value pivotRank = create<arith::AndIOp>(pivot.ranked, rankMask);
    Value pivotRow = create<arith::AndIOp>(pivot.ranked, number(kRows - 1));
    PivotRow found = {rows().getLanes(index, pivotRow), {}};
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value &own = ranked[getRow(i, row)];
      Value isExchanged =
          compare(arith::CmpIPredicate::eq,
                  create<arith::AndIOp>(own, rankMask), number(step * kRows));
      own = index.select(isExchanged,
                         create<arith::OrIOp>(pivotRank, places[row]), own);
      found.isValue.push_back(
          compare(arith::CmpIPredicate::eq, places[row], pivotRow));
      own = index.select(found.isValue[row], number(-1), own);
    }
    int64_t at = rows().getValue(step);
    Value &noted = permutation[getRow(i, at)];
    noted = noted
                ? index.select(rows().isPlace(index, at, step), pivotRow, noted)
                : pivotRow;
    return found;
  }

  Value isLeft(int64_t i, int64_t row) {
    return compare(arith::CmpIPredicate::sge, ranked[getRow(i, row)],
                   number(0));
  }

  /// That of a thread's elements of one column which the pivot's row has, from
  /// the thread of it.
  Value readPivotRow(const PivotRow &found, ArrayRef<Value> ofRows) {
    Value own = ofRows.front();
    for (int64_t row = 1; row < getNumRows(); ++row)
      own = index.select(found.isValue[row], ofRows[row], own);
    return matrix.fromRow(own, found.lanes);
  }

  /// Quotients by the pivot, of the rows that are left; zero in the others.
  /// Both numbers are brought near one before the reciprocal, which else
  /// overflows where they are small, and loses bits where they are large. A
  /// pivot of zero leaves zeros.
  SmallVector<Value> createFactors(int64_t i, ArrayRef<Value> column,
                                   Value pivot, Value isUsable) {
    int exponent = type.getElementType().isF32() ? 64 : 512;
    double large = std::ldexp(1.0, exponent);
    Value size = math::AbsFOp::create(index.builder, index.loc, pivot);
    Value scale =
        index.select(compare(arith::CmpFPredicate::OGT, size, real(large)),
                     real(1 / large), real(1));
    scale =
        index.select(compare(arith::CmpFPredicate::OLT, size, real(1 / large)),
                     real(large), scale);
    Value divisor =
        index.select(isUsable, create<arith::MulFOp>(pivot, scale), real(1));
    Value reciprocal = create<arith::DivFOp>(real(1), divisor);
    SmallVector<Value> factors;
    for (auto [row, element] : llvm::enumerate(column))
      factors.push_back(
          index.select(isLeft(i, row),
                       create<arith::MulFOp>(
                           create<arith::MulFOp>(element, scale), reciprocal),
                       real(0)));
    return factors;
  }

  void noteFactors(int64_t i, int64_t step, ArrayRef<Value> factors) {
    int64_t own = columns().getValue(step);
    Value isColumn = columns().isPlace(index, own, step);
    for (auto [row, factor] : llvm::enumerate(factors)) {
      Value &element = matrix.get(i, row, own);
      element =
          index.select(index.both(isLeft(i, row), isColumn), factor, element);
    }
  }

  /// Subtracts multiples of the pivot's row, in the columns behind the step's.
  void subtract(int64_t i, int64_t step, const PivotRow &found,
                ArrayRef<Value> factors) {
    SmallVector<Value> ofRows(getNumRows());
    for (int64_t other = columns().findReaching(step + 1);
         other < columns().getNumValues(); ++other) {
      if (columns().getFirst(other) >= getOrder())
        break;
      for (auto [row, element] : llvm::enumerate(ofRows))
        element = matrix.get(i, row, other);
      Value pivot = create<arith::NegFOp>(readPivotRow(found, ofRows));
      pivot =
          index.select(columns().isBehind(index, other, step), pivot, real(0));
      for (auto [row, factor] : llvm::enumerate(factors)) {
        Value &element = matrix.get(i, row, other);
        element = create<math::FmaOp>(factor, pivot, element);
      }
    }
  }

  template <typename Op, typename... Args>
  Value create(Args... args) {
    return index.builder.createOrFold<Op>(index.loc, args...);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return create<arith::CmpIOp>(predicate, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return create<arith::CmpFOp>(predicate, a, b);
  }
  Value readNeighbour(Value value, int64_t distance) {
    return shuffle(index.builder, index.loc, value, gpu::ShuffleMode::XOR,
                   distance);
  }
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(index.builder, index.loc, value, 32);
  }
  Value real(double value) {
    return arith::ConstantOp::create(
        index.builder, index.loc,
        index.builder.getFloatAttr(type.getElementType(), value));
  }

  TileType type;
  IndexBuilder index;
  ThreadCoordinates thread;
  WarpMatrix matrix;
  bool hasStatus;
  SmallVector<Value> places; ///< this thread's row of each value
  SmallVector<Value> ranked; ///< each row and its rank, of (matrix, row)
  SmallVector<Value> permutation, statuses;
};

struct ConvertLu : OpConversionPattern<LuOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LuOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getUnordered())
      return rewriter.notifyMatchFailure(op, "expected one decomposed");
    Location loc = op.getLoc();
    TileType type = op.getSource().getType();
    TileType numbers = op.getPermutation().getType();
    WarpLu lu(op, unpack(rewriter, loc, type, adaptor.getSource()), rewriter);
    SmallVector<SmallVector<Value>> results = {
        pack(rewriter, loc, type, lu.factor())};
    results.push_back(
        pack(rewriter, loc, numbers,
             lu.getPermutation(numbers.getRegister().getRegisterLayout())));
    if (op.getStatus())
      results.push_back(llvm::to_vector_of<Value>(lu.getStatus()));
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateLuPatterns(TypeConverter &types,
                              RewritePatternSet &patterns) {
  patterns.add<ConvertLu>(types, patterns.getContext());
}
