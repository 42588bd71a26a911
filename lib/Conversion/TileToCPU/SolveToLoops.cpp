// SolveToLoops.cpp - systems of equations, inverses and determinants
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;
using namespace tile::cpu;

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

/// Replaces the right-hand sides, the matrices of the buffer `sides` of shape
/// `shape`, by the solutions. `factors` are Cholesky factors if `isCholesky`,
/// else L and U.
static void solveFactored(ImplicitLocOpBuilder &b, Value factors, Value sides,
                          ArrayRef<int64_t> shape, bool isCholesky) {
  int64_t order = shape[shape.size() - 2];
  forEachCoordinate(
      b, shape.drop_back(2), [&](ImplicitLocOpBuilder &body, ValueRange batch) {
        for (bool isForward : {true, false}) {
          bool isTransposed = isCholesky && !isForward;
          substitute(body,
                     {BufferMatrix(factors, batch, isTransposed), order,
                      isForward, !isCholesky && isForward, isTransposed},
                     BufferMatrix(sides, batch), shape.back());
        }
      });
}

/// Returns the index of the source's row that is row `row` of the factors.
static Value loadRow(ImplicitLocOpBuilder &b, Value permutation,
                     ValueRange batch, Value row) {
  return arith::IndexCastOp::create(
      b, b.getIndexType(), BufferScalar(permutation, batch).load(b, row));
}

namespace {
struct ConvertSolve : OpConversionPattern<SolveOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SolveOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto [solution, status] =
        op.getSpd() ? solvePositiveDefinite(b, adaptor) : solve(b, adaptor);
    SmallVector<Value> results = {readBuffer(b, b.getLoc(), solution)};
    if (op.getStatus())
      results.push_back(readBuffer(b, b.getLoc(), status));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static std::pair<Value, Value> solvePositiveDefinite(ImplicitLocOpBuilder &b,
                                                       OpAdaptor adaptor) {
    Value factors = copyToBuffer(b, adaptor.getMatrix());
    Value sides = copyToBuffer(b, adaptor.getRhs());
    ArrayRef<int64_t> shape = cast<MemRefType>(sides.getType()).getShape();
    Value status = createZeros(b, shape.drop_back(2), b.getI32Type());
    forEachCoordinate(b, shape.drop_back(2),
                      [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                        factorCholesky(body, BufferMatrix(factors, batch),
                                       shape[shape.size() - 2],
                                       BufferScalar(status, batch));
                      });
    solveFactored(b, factors, sides, shape, /*isCholesky=*/true);
    return {sides, status};
  }

  static std::pair<Value, Value> solve(ImplicitLocOpBuilder &b,
                                       OpAdaptor adaptor) {
    LuBuffers lu = createLu(b, adaptor.getMatrix());
    auto type = cast<RankedTensorType>(adaptor.getRhs().getType());
    Value sides = createBuffer(b, type);
    forEachCoordinate(
        b, type.getShape(),
        [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          SmallVector<Value> from(coordinates);
          int64_t row = coordinates.size() - 2;
          from[row] = loadRow(body, lu.permutation, coordinates.take_front(row),
                              coordinates[row]);
          memref::StoreOp::create(
              body, tensor::ExtractOp::create(body, adaptor.getRhs(), from),
              sides, coordinates);
        });
    solveFactored(b, lu.factors, sides, type.getShape(), /*isCholesky=*/false);
    return {sides, lu.status};
  }
};

struct ConvertInverse : OpConversionPattern<InverseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(InverseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(adaptor.getSource().getType());
    LuBuffers lu = createLu(b, adaptor.getSource());
    Value rows = createUnit(b, type.getShape(), type.getElementType());
    Value inverse = createBuffer(b, type);
    forEachCoordinate(b, type.getShape().drop_back(2),
                      [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                        invert(body, lu, batch, type.getShape().back(), rows,
                               inverse);
                      });
    SmallVector<Value> results = {readBuffer(b, b.getLoc(), inverse)};
    if (op.getStatus())
      results.push_back(readBuffer(b, b.getLoc(), lu.status));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Computes the inverse X as the solution of X A = I, row by row. With
  /// A = P L U, first solves (X P) L U = I for X P, and then permutes its
  /// columns to get X. The solution of A X = I would have a small I - A X, but
  /// not a small I - X A.
  /// @pre `rows` is a unit matrix.
  static void invert(ImplicitLocOpBuilder &b, LuBuffers &lu, ValueRange batch,
                     int64_t order, Value rows, Value inverse) {
    BufferMatrix factors(lu.factors, batch, /*isTransposed=*/true);
    BufferMatrix solutions(rows, batch, /*isTransposed=*/true);
    for (bool isForward : {true, false})
      substitute(b, {factors, order, isForward, /*isUnit=*/!isForward},
                 solutions, order);
    forEachCoordinate(
        b, {order, order},
        [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          Value column = loadRow(body, lu.permutation, batch, coordinates[1]);
          BufferMatrix(inverse, batch)
              .store(body, solutions.load(body, coordinates[1], coordinates[0]),
                     coordinates[0], column);
        });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Determinants
//===----------------------------------------------------------------------===//

using Combine =
    llvm::function_ref<Value(ImplicitLocOpBuilder &, Value soFar, Value pivot)>;

/// Combines the pivots of a matrix, one after another, starting with `start`.
static Value combinePivots(ImplicitLocOpBuilder &b, BufferMatrix &factors,
                           int64_t order, Value start, Combine combine) {
  auto loop = scf::ForOp::create(
      b, buildIndex(b, 0), buildIndex(b, order), buildIndex(b, 1), start,
      [&](OpBuilder &builder, Location loc, Value i, ValueRange soFar) {
        ImplicitLocOpBuilder nested(loc, builder);
        scf::YieldOp::create(
            nested, combine(nested, soFar.front(), factors.load(nested, i, i)));
      });
  return loop.getResult(0);
}

/// Multiplies the sign of the permutation and, for each pivot, the value that
/// `make` returns for it.
static Value
multiplyPivots(ImplicitLocOpBuilder &b, LuBuffers &lu, ValueRange batch,
               int64_t order,
               llvm::function_ref<Value(ImplicitLocOpBuilder &, Value)> make) {
  BufferMatrix factors(lu.factors, batch);
  Type type = factors.getElement();
  Value product = combinePivots(
      b, factors, order, buildReal(b, type, 1),
      [&](ImplicitLocOpBuilder &nested, Value soFar, Value pivot) {
        return multiply(nested, soFar, make(nested, pivot));
      });
  FloatType real = getRealType(type);
  Value sign =
      arith::SelectOp::create(b, BufferScalar(lu.isOdd, batch).load(b),
                              buildReal(b, real, -1), buildReal(b, real, 1));
  return multiply(b, product, sign);
}

namespace {
/// The modulus of a complex scalar as the product of two values that do not
/// overflow: the magnitude of the larger part, and the square root of 1 + q^2,
/// where q is the smaller magnitude divided by the larger one.
struct Modulus {
  Value larger, square; ///< the larger magnitude, and 1 + q^2
};
} // namespace

static Modulus buildModulus(ImplicitLocOpBuilder &b, Value value) {
  Value re = math::AbsFOp::create(b, getReal(b, value));
  Value im = math::AbsFOp::create(b, getImaginary(b, value));
  Value larger = arith::MaximumFOp::create(b, re, im);
  Value quotient =
      divide(b, arith::MinimumFOp::create(b, re, im).getResult(), larger);
  // Zero divided by zero counts as zero.
  quotient = arith::SelectOp::create(b, isNotZero(b, larger), quotient, larger);
  Value one = buildReal(b, re.getType(), 1);
  return {larger, add(b, one, multiply(b, quotient, quotient))};
}

/// Divides a complex value by its modulus; returns zero for zero and NaN for
/// NaN.
static Value buildDirection(ImplicitLocOpBuilder &b, Value value) {
  Modulus modulus = buildModulus(b, value);
  Value root = math::SqrtOp::create(b, modulus.square);
  Value direction = divide(b, divide(b, value, modulus.larger), root);
  return arith::SelectOp::create(b, isNotZero(b, value), direction, value);
}

/// Returns the sign of a real value, 1, -1 or 0, and NaN for NaN. For a complex
/// value, returns buildDirection.
static Value buildSign(ImplicitLocOpBuilder &b, Value value) {
  if (isComplex(value))
    return buildDirection(b, value);
  Type type = value.getType();
  Value zero = buildReal(b, type, 0);
  auto choose = [&](arith::CmpFPredicate predicate, Value yes, Value no) {
    Value is = arith::CmpFOp::create(b, predicate, value, zero);
    return arith::SelectOp::create(b, is, yes, no);
  };
  Value sign = choose(arith::CmpFPredicate::OGT, buildReal(b, type, 1), zero);
  sign = choose(arith::CmpFPredicate::OLT, buildReal(b, type, -1), sign);
  return choose(arith::CmpFPredicate::UNO, value, sign);
}

/// Returns the logarithm of the modulus of a scalar.
static Value buildLogarithm(ImplicitLocOpBuilder &b, Value value) {
  if (!isComplex(value))
    return math::LogOp::create(b, math::AbsFOp::create(b, value));
  Modulus modulus = buildModulus(b, value);
  Value half = buildReal(b, modulus.square.getType(), 0.5);
  return add(b, math::LogOp::create(b, modulus.larger),
             multiply(b, half, math::LogOp::create(b, modulus.square)));
}

static Value sumLogarithms(ImplicitLocOpBuilder &b, LuBuffers &lu,
                           ValueRange batch, int64_t order) {
  BufferMatrix factors(lu.factors, batch);
  // The start -0 does not change any sum, not even one of -0.
  return combinePivots(
      b, factors, order, buildReal(b, getRealType(factors.getElement()), -0.0),
      [&](ImplicitLocOpBuilder &nested, Value soFar, Value pivot) {
        return add(nested, soFar, buildLogarithm(nested, pivot));
      });
}

namespace {
struct ConvertDeterminant : OpConversionPattern<DeterminantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DeterminantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    int64_t order = op.getSource().getType().getShape().back();
    LuBuffers lu = createLu(b, adaptor.getSource());
    Value result = createBuffer(b, type);
    forEachCoordinate(
        b, type.getShape(), [&](ImplicitLocOpBuilder &body, ValueRange batch) {
          Value product = multiplyPivots(
              body, lu, batch, order,
              [](ImplicitLocOpBuilder &, Value pivot) { return pivot; });
          memref::StoreOp::create(body, product, result, batch);
        });
    rewriter.replaceOp(op, readBuffer(b, b.getLoc(), result));
    return success();
  }
};

struct ConvertLogDet : OpConversionPattern<LogDetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LogDetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto convert = [&](TileType type) {
      return getTypeConverter()->convertType<RankedTensorType>(type);
    };
    auto type = convert(op.getSign().getType());
    int64_t order = op.getSource().getType().getShape().back();
    LuBuffers lu = createLu(b, adaptor.getSource());
    Value signs = createBuffer(b, type);
    Value logarithms = createBuffer(b, convert(op.getLogarithm().getType()));
    forEachCoordinate(
        b, type.getShape(), [&](ImplicitLocOpBuilder &body, ValueRange batch) {
          memref::StoreOp::create(
              body, multiplyPivots(body, lu, batch, order, buildSign), signs,
              batch);
          memref::StoreOp::create(body, sumLogarithms(body, lu, batch, order),
                                  logarithms, batch);
        });
    rewriter.replaceOp(op, {readBuffer(b, b.getLoc(), signs),
                            readBuffer(b, b.getLoc(), logarithms)});
    return success();
  }
};
} // namespace

void cpu::populateSolvePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertSolve, ConvertInverse, ConvertDeterminant, ConvertLogDet>(
      converter, patterns.getContext());
}
