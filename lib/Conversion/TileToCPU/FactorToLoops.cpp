// FactorToLoops.cpp - factorisations, matrix by matrix as LAPACK does
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

namespace {
/// One matrix of a buffer of them, perhaps transposed.
class BufferMatrix {
public:
  BufferMatrix(Value buffer, ValueRange batch, bool isTransposed)
      : buffer(buffer), batch(batch), isTransposed(isTransposed) {}

  Value load(ImplicitLocOpBuilder &b, Value row, Value column) {
    return memref::LoadOp::create(b, buffer, getPlace(row, column));
  }
  void store(ImplicitLocOpBuilder &b, Value value, Value row, Value column) {
    memref::StoreOp::create(b, value, buffer, getPlace(row, column));
  }

private:
  SmallVector<Value> getPlace(Value row, Value column) {
    if (isTransposed)
      std::swap(row, column);
    SmallVector<Value> place(batch);
    place.append({row, column});
    return place;
  }

  Value buffer;
  SmallVector<Value> batch;
  bool isTransposed;
};
} // namespace

static Value number(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static void
forEachFrom(ImplicitLocOpBuilder &b, Value from, int64_t end,
            llvm::function_ref<void(ImplicitLocOpBuilder &, Value)> body) {
  scf::ForOp::create(
      b, from, number(b, end), number(b, 1), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value i, ValueRange) {
        ImplicitLocOpBuilder nested(loc, builder);
        body(nested, i);
        scf::YieldOp::create(nested);
      });
}

/// What is left of a number after the products of `factors` for each number in
/// a range are subtracted.
static Value subtractProducts(
    ImplicitLocOpBuilder &b, Value start, Value from, Value to,
    llvm::function_ref<std::pair<Value, Value>(ImplicitLocOpBuilder &, Value)>
        factors) {
  auto loop = scf::ForOp::create(
      b, from, to, number(b, 1), start,
      [&](OpBuilder &builder, Location loc, Value k, ValueRange rest) {
        ImplicitLocOpBuilder nested(loc, builder);
        auto [left, right] = factors(nested, k);
        Value product = arith::MulFOp::create(nested, left, right);
        scf::YieldOp::create(
            nested,
            arith::SubFOp::create(nested, rest.front(), product).getResult());
      });
  return loop.getResult(0);
}

static Value real(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// a[i][j] minus the products of the columns before j of both rows.
static Value getRest(ImplicitLocOpBuilder &b, BufferMatrix &a, Value i,
                     Value j) {
  return subtractProducts(b, a.load(b, i, j), number(b, 0), j,
                          [&](ImplicitLocOpBuilder &nested, Value k) {
                            return std::pair(a.load(nested, i, k),
                                             a.load(nested, j, k));
                          });
}

/// Column by column (LAPACK's potf2). The number of the first column whose
/// pivot is not positive goes to `status`, which is zero before.
static void factor(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t order,
                   Type type, Value status, ValueRange batch) {
  cpu::forEachPlace(
      b, {order}, [&](ImplicitLocOpBuilder &column, ValueRange place) {
        Value j = place.front();
        Value pivot = getRest(column, a, j, j);
        Value isPositive = arith::CmpFOp::create(
            column, arith::CmpFPredicate::OGT, pivot, real(column, type, 0));
        Value before = memref::LoadOp::create(column, status, batch);
        Value isFirst =
            arith::CmpIOp::create(column, arith::CmpIPredicate::eq, before,
                                  arith::ConstantIntOp::create(column, 0, 32));
        Value next = arith::AddIOp::create(column, j, number(column, 1));
        Value here = arith::SelectOp::create(
            column, isFirst,
            arith::IndexCastOp::create(column, column.getI32Type(), next),
            before);
        memref::StoreOp::create(
            column, arith::SelectOp::create(column, isPositive, before, here),
            status, batch);
        Value root = math::SqrtOp::create(column, pivot);
        a.store(column, root, j, j);
        forEachFrom(
            column, next, order, [&](ImplicitLocOpBuilder &row, Value i) {
              a.store(row,
                      arith::DivFOp::create(row, getRest(row, a, i, j), root),
                      i, j);
            });
      });
}

/// Zero in the other triangle, NaN in this one of what has no factor.
static void finish(ImplicitLocOpBuilder &b, BufferMatrix &a, int64_t order,
                   Type type, Value status, ValueRange batch) {
  Value isFactored = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, memref::LoadOp::create(b, status, batch),
      arith::ConstantIntOp::create(b, 0, 32));
  cpu::forEachPlace(
      b, {order, order}, [&](ImplicitLocOpBuilder &nested, ValueRange place) {
        Value isKept = arith::CmpIOp::create(nested, arith::CmpIPredicate::uge,
                                             place[0], place[1]);
        Value value = arith::SelectOp::create(
            nested, isFactored, a.load(nested, place[0], place[1]),
            real(nested, type, std::numeric_limits<double>::quiet_NaN()));
        value = arith::SelectOp::create(nested, isKept, value,
                                        real(nested, type, 0));
        a.store(nested, value, place[0], place[1]);
      });
}

namespace {
struct ConvertCholesky : OpConversionPattern<CholeskyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CholeskyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileType type = op.getSource().getType();
    ArrayRef<int64_t> batchShape = type.getShape().drop_back(2);
    Value buffer = cpu::copyToBuffer(b, adaptor.getSource());
    Value status =
        cpu::createBuffer(b, RankedTensorType::get(batchShape, b.getI32Type()));
    linalg::FillOp::create(b, cpu::buildZero(b, b.getLoc(), b.getI32Type()),
                           status);
    cpu::forEachPlace(
        b, batchShape, [&](ImplicitLocOpBuilder &body, ValueRange batch) {
          BufferMatrix a(buffer, batch, op.getUpper());
          int64_t order = type.getShape().back();
          factor(body, a, order, type.getElementType(), status, batch);
          finish(body, a, order, type.getElementType(), status, batch);
        });
    SmallVector<Value> results = {cpu::readBuffer(b, b.getLoc(), buffer)};
    if (op.getStatus())
      results.push_back(cpu::readBuffer(b, b.getLoc(), status));
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Triangular systems
//===----------------------------------------------------------------------===//

/// Substitution, row by row of X, forward or backward, for each column.
struct ConvertTriangularSolve : OpConversionPattern<TriangularSolveOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TriangularSolveOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileType type = op.getType();
    Value triangles = cpu::copyToBuffer(b, adaptor.getTriangle());
    Value buffer = cpu::copyToBuffer(b, adaptor.getRhs());
    cpu::forEachPlace(
        b, type.getShape().drop_back(2),
        [&](ImplicitLocOpBuilder &body, ValueRange batch) {
          // X T = B is T' X' = B'.
          BufferMatrix t(triangles, batch, op.getTransposed() != op.getRight());
          BufferMatrix x(buffer, batch, op.getRight());
          int64_t columns =
              type.getShape()[type.getRank() - (op.getRight() ? 2 : 1)];
          int64_t order = op.getTriangle().getType().getShape().back();
          cpu::forEachPlace(
              body, {columns, order},
              [&](ImplicitLocOpBuilder &nested, ValueRange place) {
                solve(nested, op, t, x, place[0], place[1]);
              });
        });
    rewriter.replaceOp(op, cpu::readBuffer(b, b.getLoc(), buffer));
    return success();
  }

private:
  /// One element of X, the `step`-th of its column.
  static void solve(ImplicitLocOpBuilder &b, TriangularSolveOp op,
                    BufferMatrix &t, BufferMatrix &x, Value column,
                    Value step) {
    int64_t order = op.getTriangle().getType().getShape().back();
    bool isForward = (op.getTransposed() != op.getRight()) == op.getUpper();
    Value row =
        isForward ? step : arith::SubIOp::create(b, number(b, order - 1), step);
    Value from = isForward ? number(b, 0)
                           : Value(arith::AddIOp::create(b, row, number(b, 1)));
    Value value = subtractProducts(
        b, x.load(b, row, column), from, isForward ? row : number(b, order),
        [&](ImplicitLocOpBuilder &nested, Value k) {
          return std::pair(t.load(nested, row, k), x.load(nested, k, column));
        });
    if (!op.getUnit())
      value = arith::DivFOp::create(b, value, t.load(b, row, row));
    x.store(b, value, row, column);
  }
};
} // namespace

void cpu::populateFactorPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertCholesky, ConvertTriangularSolve>(converter,
                                                        patterns.getContext());
}
