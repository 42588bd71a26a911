// MatmulToLinalg.cpp - tile.matmul as one loop nest
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both operands are first extended to the type of the arithmetic, as whole
// tiles. The rows of the result and of the right operand are contiguous:
//
//   for i, k, j:  acc[i, j] = lhs[i, k] * rhs[k, j] + acc[i, j]
//
// If there is a batch, the outermost loop is over the batch. LLVM vectorises
// the inner loop. Only in a matmul, a multiplication and an addition are
// rounded once (math.fma); other conversions to the CPU do not fuse them.

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

/// Returns (a + bi)(c + di) + (e + fi), computed by four multiply-adds.
static Value multiplyAddComplex(OpBuilder &b, Location loc, Value lhs,
                                Value rhs, Value acc) {
  Value a = complex::ReOp::create(b, loc, lhs);
  Value bi = complex::ImOp::create(b, loc, lhs);
  Value c = complex::ReOp::create(b, loc, rhs);
  Value di = complex::ImOp::create(b, loc, rhs);
  Value real = complex::ReOp::create(b, loc, acc);
  Value imaginary = complex::ImOp::create(b, loc, acc);
  Value minus = arith::NegFOp::create(b, loc, bi);
  real = math::FmaOp::create(b, loc, a, c, real);
  real = math::FmaOp::create(b, loc, minus, di, real);
  imaginary = math::FmaOp::create(b, loc, a, di, imaginary);
  imaginary = math::FmaOp::create(b, loc, bi, c, imaginary);
  return complex::CreateOp::create(b, loc, acc.getType(), real, imaginary);
}

/// Returns `lhs * rhs + acc`, rounded to the type `accumulator` if that is f16.
static Value multiplyAdd(OpBuilder &b, Location loc, Value lhs, Value rhs,
                         Value acc, Type accumulator) {
  if (isa<ComplexType>(acc.getType()))
    return multiplyAddComplex(b, loc, lhs, rhs, acc);
  if (isa<IntegerType>(acc.getType())) {
    Value product = arith::MulIOp::create(b, loc, lhs, rhs);
    return arith::AddIOp::create(b, loc, product, acc);
  }
  Value wide = cpu::widen(b, loc, acc, accumulator);
  Value sum = math::FmaOp::create(b, loc, lhs, rhs, wide);
  return cpu::narrow(b, loc, sum, accumulator);
}

/// Converts an operand's elements from type `from` to the type of the
/// multiplications.
static Value extend(OpBuilder &b, Location loc, Value tensor, Type from,
                    Type accumulator, Precision precision) {
  Type to = cpu::getComputeType(accumulator);
  if (precision != Precision::tf32)
    return cpu::convertElements(b, loc, tensor, from, to);
  return cpu::buildParallel(
      b, loc, cast<RankedTensorType>(tensor.getType()), tensor,
      [](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        return cpu::roundToTf32(nested, nestedLoc, elements[0]);
      });
}

namespace {
struct ConvertMatmul : OpConversionPattern<MatmulOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MatmulOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type from = cpu::getElement(op.getLhs().getType());
    Type accumulator = op.getType().getElementType();
    Value lhs = extend(rewriter, loc, adaptor.getLhs(), from, accumulator,
                       op.getPrecision());
    Value rhs = extend(rewriter, loc, adaptor.getRhs(), from, accumulator,
                       op.getPrecision());
    bool hasBatch = op.getType().getRank() == 3;
    AffineExpr batch, i, k, j;
    if (hasBatch)
      bindDims(getContext(), batch, i, k, j);
    else
      bindDims(getContext(), i, k, j);
    auto mapOf = [&](Type type, AffineExpr row, AffineExpr column) {
      SmallVector<AffineExpr> coordinates = {row, column};
      if (cast<ShapedType>(type).getRank() == 3)
        coordinates.insert(coordinates.begin(), batch);
      return AffineMap::get(hasBatch ? 4 : 3, 0, coordinates, getContext());
    };
    AffineMap maps[] = {mapOf(lhs.getType(), i, k), mapOf(rhs.getType(), k, j),
                        mapOf(op.getType(), i, j)};
    SmallVector<utils::IteratorType> iterators(maps[0].getNumDims(),
                                               utils::IteratorType::parallel);
    iterators[hasBatch ? 2 : 1] = utils::IteratorType::reduction;
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, adaptor.getAcc().getType(), ValueRange{lhs, rhs}, adaptor.getAcc(),
        maps, iterators,
        [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
          linalg::YieldOp::create(b, nestedLoc,
                                  multiplyAdd(b, nestedLoc, elements[0],
                                              elements[1], elements[2],
                                              accumulator));
        });
    return success();
  }
};
} // namespace

void cpu::populateMatmulPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertMatmul>(converter, patterns.getContext());
}
