// ComplexToLinalg.cpp - tile.complex on pairs of real values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

namespace {
/// Builds arithmetic on real and imaginary parts.
struct Parts : ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(*this, a, b); }
  Value neg(Value a) { return arith::NegFOp::create(*this, a); }
  Value re(Value x) { return complex::ReOp::create(*this, x); }
  Value im(Value x) { return complex::ImOp::create(*this, x); }
  Value make(Value re, Value im) {
    return complex::CreateOp::create(*this, ComplexType::get(re.getType()), re,
                                     im);
  }
  Value product(Value x, Value y) {
    return make(sub(mul(re(x), re(y)), mul(im(x), im(y))),
                add(mul(re(x), im(y)), mul(im(x), re(y))));
  }
  Value exp(Value x) {
    Value size = math::ExpOp::create(*this, re(x));
    return make(mul(size, math::CosOp::create(*this, im(x))),
                mul(size, math::SinOp::create(*this, im(x))));
  }
};

struct ConvertComplex : OpConversionPattern<ComplexOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ComplexOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    rewriter.replaceOp(
        op,
        cpu::buildParallel(rewriter, op.getLoc(), type, adaptor.getInputs(),
                           [&](OpBuilder &builder, Location loc, ValueRange x) {
                             Parts b(loc, builder);
                             return createElement(b, op.getKind(), x);
                           }));
    return success();
  }

private:
  static Value createElement(Parts &b, ComplexKind kind, ValueRange x) {
    switch (kind) {
    case ComplexKind::add:
      return b.make(b.add(b.re(x[0]), b.re(x[1])),
                    b.add(b.im(x[0]), b.im(x[1])));
    case ComplexKind::sub:
      return b.make(b.sub(b.re(x[0]), b.re(x[1])),
                    b.sub(b.im(x[0]), b.im(x[1])));
    case ComplexKind::mul:
      return b.product(x[0], x[1]);
    case ComplexKind::div:
      return complex::DivOp::create(b, x[0], x[1]);
    case ComplexKind::neg:
      return b.make(b.neg(b.re(x[0])), b.neg(b.im(x[0])));
    case ComplexKind::conj:
      return b.make(b.re(x[0]), b.neg(b.im(x[0])));
    case ComplexKind::exp:
      return b.exp(x[0]);
    case ComplexKind::abs:
      return complex::AbsOp::create(b, x[0]);
    case ComplexKind::re:
      return b.re(x[0]);
    case ComplexKind::im:
      return b.im(x[0]);
    case ComplexKind::create:
      return b.make(x[0], x[1]);
    }
    llvm_unreachable("kind of operation on complex numbers");
  }
};
} // namespace

void cpu::populateComplexPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertComplex>(converter, patterns.getContext());
}
