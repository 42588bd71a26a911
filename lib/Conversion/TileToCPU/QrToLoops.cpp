// QrToLoops.cpp - QR factors by reflections, one matrix at a time, as in LAPACK
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using namespace tile::cpu;

//===----------------------------------------------------------------------===//
// Reflections
//===----------------------------------------------------------------------===//

/// Returns the largest magnitude of the elements of a column from row `from`
/// on, or of the parts of complex elements.
static Value findLargest(ImplicitLocOpBuilder &b, BufferMatrix &a, Value from,
                         int64_t rows, Value column) {
  return fold(b, buildReal(b, getRealType(a.getElement()), 0), from, rows,
              [&](ImplicitLocOpBuilder &at, Value i, Value before) -> Value {
                for (Value part : getParts(at, a.load(at, i, column)))
                  before = arith::MaximumFOp::create(
                      at, before, math::AbsFOp::create(at, part).getResult());
                return before;
              });
}

/// Makes a column zero below row j by a reflection, stores the reflection's
/// vector in place of the zeros, and returns its scale (LAPACK's larfg). The
/// resulting diagonal element is real. The scale is zero if the column is
/// already zero below row j and its diagonal element is real. Elements are
/// divided by the largest one before they are squared, so that no square
/// overflows or loses bits by underflow: with an inexact norm the reflection
/// would not be orthogonal.
static Value createReflection(ImplicitLocOpBuilder &b, BufferMatrix &a,
                              int64_t rows, Value j) {
  Type type = a.getElement(), real = getRealType(type);
  auto equalsZero = [&](Value x) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x,
                                 buildReal(b, real, 0));
  };
  Value element = a.load(b, j, j);
  Value isZero = equalsZero(findLargest(b, a, next(b, j), rows, j));
  if (isComplex(element))
    isZero =
        arith::AndIOp::create(b, isZero, equalsZero(getImaginary(b, element)));
  Value largest = findLargest(b, a, j, rows, j);
  Value sum =
      fold(b, buildReal(b, real, 0), j, rows,
           [&](ImplicitLocOpBuilder &at, Value i, Value before) -> Value {
             for (Value part : getParts(at, a.load(at, i, j))) {
               part = divide(at, part, largest);
               before = add(at, before, multiply(at, part, part));
             }
             return before;
           });
  Value alpha = divide(b, element, largest);
  // The sign of the result is opposite to that of the element's real part.
  auto buildOpposite = [&](Value size) -> Value {
    return arith::NegFOp::create(
        b, math::CopySignOp::create(b, size, getReal(b, element)));
  };
  Value norm = math::SqrtOp::create(b, sum);
  Value beta = buildOpposite(norm);
  Value difference = subtract(b, alpha, fromReal(b, beta, type));
  Value scale = subtract(b, buildReal(b, type, 1), divide(b, alpha, beta));
  forEach(b, next(b, j), rows, [&](ImplicitLocOpBuilder &row, Value i) {
    Value x = a.load(row, i, j);
    Value v = divide(row, divide(row, x, largest), difference);
    a.store(row, arith::SelectOp::create(row, isZero, x, v), i, j);
  });
  Value diagonal =
      arith::SelectOp::create(b, isZero, getReal(b, element),
                              buildOpposite(multiply(b, norm, largest)));
  a.store(b, fromReal(b, diagonal, type), j, j);
  return arith::SelectOp::create(b, isZero, buildReal(b, type, 0), scale);
}

/// Multiplies a column of `matrix`, from row j on, by I - scale v v' (LAPACK's
/// larf), where v is column j of `vectors` and v' its conjugate transpose.
static void reflect(ImplicitLocOpBuilder &b, BufferMatrix &vectors, Value scale,
                    int64_t rows, Value j, BufferMatrix &matrix, Value column) {
  Value first = matrix.load(b, j, column);
  Value dot =
      fold(b, first, next(b, j), rows,
           [&](ImplicitLocOpBuilder &at, Value i, Value before) -> Value {
             Value product = multiply(at, conjugate(at, vectors.load(at, i, j)),
                                      matrix.load(at, i, column));
             return add(at, before, product);
           });
  Value multiple = multiply(b, scale, dot);
  matrix.store(b, subtract(b, first, multiple), j, column);
  forEach(b, next(b, j), rows, [&](ImplicitLocOpBuilder &row, Value i) {
    Value product = multiply(row, vectors.load(row, i, j), multiple);
    matrix.store(row, subtract(row, matrix.load(row, i, column), product), i,
                 column);
  });
}

namespace {
/// The factors of a batch of matrices: `vectors` contains R on and above the
/// diagonal and the vectors of the reflections below it, `scales` the scales of
/// the reflections.
struct Factors {
  Value vectors, scales;
  ArrayRef<int64_t> shape;

  int64_t getRows() const { return shape[shape.size() - 2]; }
  int64_t getColumns() const { return shape.back(); }
};
} // namespace

static Factors createFactors(ImplicitLocOpBuilder &b, Value matrices) {
  auto type = cast<RankedTensorType>(matrices.getType());
  Factors factors = {
      copyToBuffer(b, matrices),
      createZeros(b, dropRows(type.getShape()), type.getElementType()),
      type.getShape()};
  forEachCoordinate(
      b, type.getShape().drop_back(2),
      [&](ImplicitLocOpBuilder &body, ValueRange batch) {
        BufferMatrix a(factors.vectors, batch);
        BufferScalar scales(factors.scales, batch);
        forEach(body, factors.getColumns(),
                [&](ImplicitLocOpBuilder &step, Value j) {
                  Value scale = createReflection(step, a, factors.getRows(), j);
                  scales.store(step, scale, j);
                  // The other columns are multiplied by H', the reflection that
                  // changed column j.
                  scale = conjugate(step, scale);
                  forEach(step, next(step, j), factors.getColumns(),
                          [&](ImplicitLocOpBuilder &nested, Value column) {
                            reflect(nested, a, scale, factors.getRows(), j, a,
                                    column);
                          });
                });
      });
  return factors;
}

/// Multiplies the matrices of the buffer `sides` by Q or, if `isTransposed`, by
/// its conjugate transpose.
static void applyFactors(ImplicitLocOpBuilder &b, const Factors &factors,
                         Value sides, bool isTransposed) {
  ArrayRef<int64_t> shape = cast<MemRefType>(sides.getType()).getShape();
  forEachCoordinate(
      b, shape.drop_back(2), [&](ImplicitLocOpBuilder &body, ValueRange batch) {
        BufferMatrix vectors(factors.vectors, batch), matrix(sides, batch);
        forEachCoordinate(
            body, {factors.getColumns(), shape.back()},
            [&](ImplicitLocOpBuilder &step, ValueRange coordinates) {
              Value j = coordinates[0];
              if (!isTransposed)
                j = arith::SubIOp::create(
                    step, buildIndex(step, factors.getColumns() - 1), j);
              Value scale = BufferScalar(factors.scales, batch).load(step, j);
              if (isTransposed)
                scale = conjugate(step, scale);
              reflect(step, vectors, scale, factors.getRows(), j, matrix,
                      coordinates[1]);
            });
      });
}

/// Sets elements below the diagonal of a buffer's matrices to zero.
static void clearBelow(ImplicitLocOpBuilder &b, Value matrices) {
  auto type = cast<MemRefType>(matrices.getType());
  forEachCoordinate(
      b, type.getShape(),
      [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
        Value isKept = arith::CmpIOp::create(
            body, arith::CmpIPredicate::ule,
            coordinates[coordinates.size() - 2], coordinates.back());
        Value value = arith::SelectOp::create(
            body, isKept, memref::LoadOp::create(body, matrices, coordinates),
            buildReal(body, type.getElementType(), 0));
        memref::StoreOp::create(body, value, matrices, coordinates);
      });
}

/// Creates a buffer of `type` with the first rows of each matrix of the buffer
/// `from`.
static Value copyRows(ImplicitLocOpBuilder &b, Value from,
                      RankedTensorType type) {
  Value buffer = createBuffer(b, type);
  forEachCoordinate(b, type.getShape(),
                    [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
                      memref::StoreOp::create(
                          body, memref::LoadOp::create(body, from, coordinates),
                          buffer, coordinates);
                    });
  return buffer;
}

QrBuffers cpu::createQr(ImplicitLocOpBuilder &b, Value matrices) {
  auto type = cast<RankedTensorType>(matrices.getType());
  Factors factors = createFactors(b, matrices);
  Value q = createUnit(b, type.getShape(), type.getElementType());
  applyFactors(b, factors, q, /*isTransposed=*/false);
  SmallVector<int64_t> square(type.getShape());
  square[square.size() - 2] = square.back();
  Value r = copyRows(b, factors.vectors,
                     RankedTensorType::get(square, type.getElementType()));
  clearBelow(b, r);
  return {q, r};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
struct ConvertHouseholder : OpConversionPattern<HouseholderOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(HouseholderOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Factors factors = createFactors(b, adaptor.getSource());
    rewriter.replaceOp(op, {readBuffer(b, b.getLoc(), factors.vectors),
                            readBuffer(b, b.getLoc(), factors.scales)});
    return success();
  }
};

struct ConvertApplyHouseholder : OpConversionPattern<ApplyHouseholderOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ApplyHouseholderOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Factors factors = {copyToBuffer(b, adaptor.getReflections()),
                       copyToBuffer(b, adaptor.getScales()),
                       op.getReflections().getType().getShape()};
    Value sides = copyToBuffer(b, adaptor.getRhs());
    if (op.getTriangular())
      clearBelow(b, sides);
    applyFactors(b, factors, sides, op.getTransposed());
    rewriter.replaceOp(op, readBuffer(b, b.getLoc(), sides));
    return success();
  }
};

struct ConvertQr : OpConversionPattern<QrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(QrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    QrBuffers qr = createQr(b, adaptor.getSource());
    rewriter.replaceOp(
        op, {readBuffer(b, b.getLoc(), qr.q), readBuffer(b, b.getLoc(), qr.r)});
    return success();
  }
};

struct ConvertLeastSquares : OpConversionPattern<LeastSquaresOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LeastSquaresOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Factors factors = createFactors(b, adaptor.getMatrix());
    Value sides = copyToBuffer(b, adaptor.getRhs());
    applyFactors(b, factors, sides, /*isTransposed=*/true);
    ArrayRef<int64_t> shape = op.getResult().getType().getShape();
    Value solution = copyRows(
        b, sides,
        RankedTensorType::get(
            shape, cast<MemRefType>(sides.getType()).getElementType()));
    forEachCoordinate(b, shape.drop_back(2),
                      [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                        Triangle r = {BufferMatrix(factors.vectors, batch),
                                      factors.getColumns(), /*isForward=*/false,
                                      /*isUnit=*/false};
                        substitute(body, r, BufferMatrix(solution, batch),
                                   shape.back());
                      });
    rewriter.replaceOp(op, readBuffer(b, b.getLoc(), solution));
    return success();
  }
};
} // namespace

void cpu::populateQrPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns) {
  patterns.add<ConvertHouseholder, ConvertApplyHouseholder, ConvertQr,
               ConvertLeastSquares>(converter, patterns.getContext());
}
