// ComplexScale.cpp - complex numbers whose squares neither overflow nor vanish
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Algorithms/ComplexScale.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

namespace {
/// Accesses the bits of floating-point values of a type: sign, exponent and
/// mantissa.
class FloatBits : ImplicitLocOpBuilder {
public:
  FloatBits(OpBuilder &builder, Location loc, FloatType type)
      : ImplicitLocOpBuilder(loc, builder), type(type),
        bits(builder.getIntegerType(type.getWidth())),
        mantissa(APFloat::semanticsPrecision(type.getFloatSemantics()) - 1),
        bias(APFloat::semanticsMaxExponent(type.getFloatSemantics())) {}

  int64_t getBias() const { return bias; }

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(*this, bits, value);
  }
  /// Returns the biased exponent of whichever of `a` and `b` has the larger
  /// magnitude.
  Value getExponent(Value a, Value b) {
    Value sizes[] = {getSize(a), getSize(b)};
    Value larger = arith::MaxUIOp::create(*this, sizes[0], sizes[1]);
    return arith::ShRUIOp::create(*this, larger, constant(mantissa));
  }
  Value subtract(int64_t from, Value exponent) {
    return arith::SubIOp::create(*this, constant(from), exponent);
  }
  Value atLeast(int64_t least, Value exponent) {
    return arith::MaxSIOp::create(*this, exponent, constant(least));
  }
  /// Returns the power of two with a biased exponent.
  Value getPower(Value exponent) {
    return arith::BitcastOp::create(
        *this, type,
        arith::ShLIOp::create(*this, exponent, constant(mantissa)));
  }
  /// Returns the reciprocal of a power of two; the reciprocal must be normal.
  Value getReciprocal(Value power) {
    Value exponent =
        arith::ShRUIOp::create(*this, getBits(power), constant(mantissa));
    return getPower(subtract(2 * bias, exponent));
  }

private:
  Value getBits(Value value) {
    return arith::BitcastOp::create(*this, bits, value);
  }
  Value getSize(Value value) {
    Value mask = arith::ConstantOp::create(
        *this, getIntegerAttr(bits, APInt::getSignedMaxValue(type.getWidth())));
    return arith::AndIOp::create(*this, getBits(value), mask);
  }

  FloatType type;
  Type bits;
  int64_t mantissa, bias;
};

/// The parts of a complex value, multiplied by its scale.
class ScaledParts : public ImplicitLocOpBuilder {
public:
  ScaledParts(OpBuilder &builder, Location loc, Value value,
              arith::FastMathFlags flags)
      : ImplicitLocOpBuilder(loc, builder), flags(flags),
        re(complex::ReOp::create(*this, value)),
        im(complex::ImOp::create(*this, value)),
        scale(createComplexScale(builder, loc, re, im)), scaledRe(scaled(re)),
        scaledIm(scaled(im)) {}

  Value getScale() { return scale; }

  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(*this, a, b, flags);
  }
  Value scaled(Value part) { return multiply(part, scale); }

  /// Returns the sum of the squares of the scaled parts.
  Value getSquare() {
    Value ofRe = multiply(scaledRe, scaledRe);
    return arith::AddFOp::create(*this, ofRe, multiply(scaledIm, scaledIm),
                                 flags);
  }

  /// Returns x divided by the complex value; each part is rounded four times.
  Value divide(Value x) {
    Value xr = scaled(complex::ReOp::create(*this, x));
    Value xi = scaled(complex::ImOp::create(*this, x));
    Value square = getSquare();
    Value parts[] = {multiply(xr, scaledRe), multiply(xi, scaledRe)};
    Value re =
        arith::AddFOp::create(*this, parts[0], multiply(xi, scaledIm), flags);
    Value im =
        arith::SubFOp::create(*this, parts[1], multiply(xr, scaledIm), flags);
    re = arith::DivFOp::create(*this, re, square, flags);
    im = arith::DivFOp::create(*this, im, square, flags);
    return complex::CreateOp::create(*this, x.getType(), re, im);
  }

private:
  arith::FastMathFlags flags;
  Value re, im, scale, scaledRe, scaledIm;
};

/// Whether complex values of the type are scaled, which requires that FloatBits
/// supports the type of their parts.
bool isScaled(ComplexType type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
      type.getElementType());
}

struct ExpandDivision : OpRewritePattern<complex::DivOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(complex::DivOp op,
                                PatternRewriter &rewriter) const override {
    if (!isScaled(op.getType()))
      return failure();
    ScaledParts divisor(rewriter, op.getLoc(), op.getRhs(), op.getFastmath());
    rewriter.replaceOp(op, divisor.divide(op.getLhs()));
    return success();
  }
};

struct ExpandAbsolute : OpRewritePattern<complex::AbsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(complex::AbsOp op,
                                PatternRewriter &rewriter) const override {
    if (!isScaled(op.getComplex().getType()))
      return failure();
    Location loc = op.getLoc();
    ScaledParts parts(rewriter, loc, op.getComplex(), op.getFastmath());
    Value root = math::SqrtOp::create(rewriter, loc, parts.getSquare(),
                                      op.getFastmath());
    FloatBits bits(rewriter, loc, cast<FloatType>(op.getType()));
    rewriter.replaceOp(
        op, parts.multiply(root, bits.getReciprocal(parts.getScale())));
    return success();
  }
};
} // namespace

/// The scale is 2^(-e - 2), where e is the exponent of the larger part. For the
/// largest values, whose scale would not be normal, it is the least normal
/// power of two.
Value tile::createComplexScale(OpBuilder &builder, Location loc, Value re,
                               Value im) {
  FloatBits bits(builder, loc, cast<FloatType>(re.getType()));
  Value exponent =
      bits.subtract(2 * bits.getBias() - 2, bits.getExponent(re, im));
  return bits.getPower(bits.atLeast(1, exponent));
}

void tile::populateScaledComplexPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandDivision, ExpandAbsolute>(patterns.getContext());
}
