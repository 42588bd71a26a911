// FactorToLoops.cpp - factorisations, matrix by matrix as LAPACK does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLoops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;
using namespace tile::cpu;

namespace {
struct ConvertCholesky : OpConversionPattern<CholeskyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CholeskyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<int64_t> shape = op.getSource().getType().getShape();
    Value buffer = copyToBuffer(b, adaptor.getSource());
    Value status = createZeros(b, shape.drop_back(2), b.getI32Type());
    forEachCoordinate(b, shape.drop_back(2),
                      [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                        factorCholesky(
                            body, BufferMatrix(buffer, batch, op.getUpper()),
                            shape.back(), BufferScalar(status, batch));
                      });
    SmallVector<Value> results = {readBuffer(b, b.getLoc(), buffer)};
    if (op.getStatus())
      results.push_back(readBuffer(b, b.getLoc(), status));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertCholeskyDerivative : OpConversionPattern<CholeskyDerivativeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CholeskyDerivativeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getTransposed()) {
      rewriter.replaceOp(
          op,
          *cast<DecomposeOpInterface>(op.getOperation()).decompose(rewriter));
      return success();
    }
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<int64_t> shape = op.getType().getShape();
    Value factors = copyToBuffer(b, adaptor.getFactor());
    Value gradients = copyToBuffer(b, adaptor.getChange());
    forEachCoordinate(b, shape.drop_back(2),
                      [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                        differentiateCholesky(
                            body, BufferMatrix(factors, batch),
                            BufferMatrix(gradients, batch), shape.back());
                      });
    rewriter.replaceOp(op, readBuffer(b, b.getLoc(), gradients));
    return success();
  }
};

struct ConvertLdlt : OpConversionPattern<LdltOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LdltOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<int64_t> shape = op.getSource().getType().getShape();
    Value buffer = copyToBuffer(b, adaptor.getSource());
    Value status = createZeros(b, shape.drop_back(2), b.getI32Type());
    forEachCoordinate(b, shape.drop_back(2),
                      [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                        factorLdlt(body, BufferMatrix(buffer, batch),
                                   shape.back(), BufferScalar(status, batch));
                      });
    SmallVector<Value> results = {readBuffer(b, b.getLoc(), buffer)};
    if (op.getStatus())
      results.push_back(readBuffer(b, b.getLoc(), status));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertLu : OpConversionPattern<LuOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LuOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<int64_t> shape = op.getSource().getType().getShape();
    LuBuffers lu = createLu(b, adaptor.getSource());
    Value factors = lu.factors;
    if (op.getUnordered())
      factors = restoreRows(b, lu, shape);
    SmallVector<Value> results = {readBuffer(b, b.getLoc(), factors),
                                  readBuffer(b, b.getLoc(), lu.permutation)};
    if (op.getStatus())
      results.push_back(readBuffer(b, b.getLoc(), lu.status));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Returns the factors, with each row at the index of the source's row to
  /// which it belongs.
  static Value restoreRows(ImplicitLocOpBuilder &b, LuBuffers &lu,
                           ArrayRef<int64_t> shape) {
    Value moved = createBuffer(
        b, RankedTensorType::get(
               shape, cast<MemRefType>(lu.factors.getType()).getElementType()));
    forEachCoordinate(
        b, shape, [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          ValueRange batch = coordinates.drop_back(2);
          Value row = coordinates[batch.size()], column = coordinates.back();
          Value value = BufferMatrix(lu.factors, batch).load(body, row, column);
          Value sourceRow = arith::IndexCastOp::create(
              body, body.getIndexType(),
              BufferScalar(lu.permutation, batch).load(body, row));
          BufferMatrix(moved, batch).store(body, value, sourceRow, column);
        });
    return moved;
  }
};

struct ConvertTriangularSolve : OpConversionPattern<TriangularSolveOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TriangularSolveOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<int64_t> shape = op.getType().getShape();
    Value triangles = copyToBuffer(b, adaptor.getTriangle());
    Value buffer = copyToBuffer(b, adaptor.getRhs());
    // X T = B is solved as T' X' = B'.
    bool isTransposed = op.getTransposed() != op.getRight();
    forEachCoordinate(
        b, shape.drop_back(2),
        [&](ImplicitLocOpBuilder &body, ValueRange batch) {
          Triangle t = {BufferMatrix(triangles, batch, isTransposed),
                        op.getTriangle().getType().getShape().back(),
                        /*isForward=*/isTransposed == op.getUpper(),
                        op.getUnit()};
          substitute(body, t, BufferMatrix(buffer, batch, op.getRight()),
                     shape[shape.size() - (op.getRight() ? 2 : 1)]);
        });
    rewriter.replaceOp(op, readBuffer(b, b.getLoc(), buffer));
    return success();
  }
};
} // namespace

void cpu::populateFactorPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertCholesky, ConvertCholeskyDerivative, ConvertLdlt,
               ConvertLu, ConvertTriangularSolve>(converter,
                                                  patterns.getContext());
}
