// FactorToLoops.cpp - factorisations, matrix by matrix as LAPACK does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLoops.h"

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
    forEachPlace(b, shape.drop_back(2),
                 [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                   factorCholesky(body,
                                  BufferMatrix(buffer, batch, op.getUpper()),
                                  shape.back(), BufferNumber(status, batch));
                 });
    SmallVector<Value> results = {readBuffer(b, b.getLoc(), buffer)};
    if (op.getStatus())
      results.push_back(readBuffer(b, b.getLoc(), status));
    rewriter.replaceOp(op, results);
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
    forEachPlace(b, shape.drop_back(2),
                 [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                   factorLdlt(body, BufferMatrix(buffer, batch), shape.back(),
                              BufferNumber(status, batch));
                 });
    SmallVector<Value> results = {readBuffer(b, b.getLoc(), buffer)};
    if (op.getStatus())
      results.push_back(readBuffer(b, b.getLoc(), status));
    rewriter.replaceOp(op, results);
    return success();
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
    // X T = B is T' X' = B'.
    bool isTransposed = op.getTransposed() != op.getRight();
    forEachPlace(b, shape.drop_back(2),
                 [&](ImplicitLocOpBuilder &body, ValueRange batch) {
                   Triangle t = {BufferMatrix(triangles, batch, isTransposed),
                                 op.getTriangle().getType().getShape().back(),
                                 /*isForward=*/isTransposed == op.getUpper(),
                                 op.getUnit()};
                   substitute(body, t,
                              BufferMatrix(buffer, batch, op.getRight()),
                              shape[shape.size() - (op.getRight() ? 2 : 1)]);
                 });
    rewriter.replaceOp(op, readBuffer(b, b.getLoc(), buffer));
    return success();
  }
};
} // namespace

void cpu::populateFactorPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertCholesky, ConvertLdlt, ConvertTriangularSolve>(
      converter, patterns.getContext());
}
