// FourierToLoops.cpp - Fourier transforms, row by row and factor by factor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transform is one loop nest for each prime factor p of the length:
//
//   y[(b p + q) s + a] = sum_k x[(k B + b) s + a] w^(k (a + q s))
//
// where w is e^(-2 pi i / (p s)), s the product of the factors before p, and B
// that of the factors after p. The sum is compensated (Kahan, "Further remarks
// on reducing truncation errors", 1965), so that a row of prime length is as
// accurate as a row of any other length.

#include "Patterns.h"

#include "tile/Algorithms/RootsOfUnity.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

namespace {
struct Complex {
  Value re, im;
};

/// Arithmetic of loops on elements and indices.
struct LoopBuilder : ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  LoopBuilder(ImplicitLocOpBuilder &builder)
      : ImplicitLocOpBuilder(builder.getLoc(), builder) {}

  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(*this, a, b); }
  Value real(Type type, double value) {
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  }
  Value scale(Value a, long double factor) {
    Type type = a.getType();
    FactorParts parts = splitFactor(factor, type.isF64());
    return math::FmaOp::create(*this, a, real(type, parts.high),
                               mul(a, real(type, parts.rest)));
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  /// Returns a b + c.
  Value index(Value a, int64_t b, Value c) {
    Value product = arith::MulIOp::create(*this, a, index(b));
    return arith::AddIOp::create(*this, product, c);
  }
  Value isEqual(Value a, int64_t b) {
    return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, a, index(b));
  }
};

/// A row of complex numbers, in separate buffers of real and imaginary parts.
struct Row {
  Value re, im;

  static Row create(ImplicitLocOpBuilder &b, int64_t length, Type part) {
    auto type = RankedTensorType::get({length}, part);
    return {cpu::createBuffer(b, type), cpu::createBuffer(b, type)};
  }
  Complex load(LoopBuilder &b, Value index) {
    return {memref::LoadOp::create(b, re, index),
            memref::LoadOp::create(b, im, index)};
  }
  void store(LoopBuilder &b, Complex value, Value index) {
    memref::StoreOp::create(b, value.re, re, index);
    memref::StoreOp::create(b, value.im, im, index);
  }
};

/// A sum and the compensation of its rounding errors so far.
struct CompensatedSum {
  Value sum, lost;

  CompensatedSum add(LoopBuilder &b, Value term) {
    Value rest = b.sub(term, lost);
    Value next = b.add(sum, rest);
    return {next, b.sub(b.sub(next, sum), rest)};
  }
};
} // namespace

static SmallVector<int64_t> getPrimeFactors(int64_t n) {
  SmallVector<int64_t> factors;
  for (int64_t factor = 2; n > 1; ++factor)
    for (; n % factor == 0; n /= factor)
      factors.push_back(factor);
  return factors;
}

/// Creates a row of e^(-2 pi i k / length) for each k from 0 to length - 1, or
/// of the conjugates if `isInverse`.
static Row createRoots(ImplicitLocOpBuilder &b, int64_t length, Type part,
                       bool isInverse) {
  auto type = RankedTensorType::get({length}, part);
  SmallVector<Attribute> re, im;
  for (int64_t k = 0; k < length; ++k) {
    std::complex<long double> root = getRootOfUnity(k, length);
    re.push_back(b.getFloatAttr(part, static_cast<double>(root.real())));
    im.push_back(b.getFloatAttr(
        part, static_cast<double>(isInverse ? -root.imag() : root.imag())));
  }
  auto create = [&](ArrayRef<Attribute> values) {
    return cpu::copyToBuffer(
        b, arith::ConstantOp::create(b, DenseElementsAttr::get(type, values)));
  };
  return {create(re), create(im)};
}

namespace {
class RowTransform {
public:
  RowTransform(ImplicitLocOpBuilder &b, const FourierTransform &form, Type part)
      : form(form), part(part),
        roots(createRoots(b, form.length, part, form.isInverse)),
        row(Row::create(b, form.length, part)),
        other(Row::create(b, form.length, part)) {}

  /// Transforms the row of `source` at `batch`; getRow() returns the result.
  void run(ImplicitLocOpBuilder &b, Value source, ValueRange batch) {
    read(b, source, batch);
    int64_t stride = 1;
    for (int64_t factor : getPrimeFactors(form.length)) {
      pass(b, factor, stride);
      std::swap(row, other);
      stride *= factor;
    }
  }
  Row getRow() { return row; }

private:
  void read(ImplicitLocOpBuilder &builder, Value source, ValueRange batch) {
    cpu::forEachCoordinate(builder, {form.length},
                           [&](ImplicitLocOpBuilder &nested, ValueRange at) {
                             LoopBuilder b(nested);
                             row.store(b, readElement(b, source, batch, at[0]),
                                       at[0]);
                           });
  }

  Complex readElement(LoopBuilder &b, Value source, ValueRange batch,
                      Value at) {
    SmallVector<Value> coordinates(batch);
    coordinates.push_back(at);
    if (form.isOfRealRows && !form.isInverse)
      return {memref::LoadOp::create(b, source, coordinates), b.real(part, 0)};
    if (!form.isOfRealRows)
      return split(b, memref::LoadOp::create(b, source, coordinates));
    // A spectrum of real elements is stored up to its middle; each element
    // after it is the conjugate of the one at the opposite index.
    Value opposite = arith::SubIOp::create(b, b.index(form.length), at);
    Value isBehind = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, at,
                                           b.index(form.length / 2));
    coordinates.back() = arith::SelectOp::create(b, isBehind, opposite, at);
    Complex value = split(b, memref::LoadOp::create(b, source, coordinates));
    Value isReal = arith::OrIOp::create(
        b, b.isEqual(at, 0),
        b.isEqual(arith::AddIOp::create(b, at, at), form.length));
    Value negative = arith::NegFOp::create(b, value.im);
    Value im = arith::SelectOp::create(b, isBehind, negative, value.im);
    return {value.re, arith::SelectOp::create(b, isReal, b.real(part, 0), im)};
  }

  static Complex split(LoopBuilder &b, Value value) {
    return {complex::ReOp::create(b, value), complex::ImOp::create(b, value)};
  }

  void pass(ImplicitLocOpBuilder &builder, int64_t factor, int64_t stride) {
    int64_t blocks = form.length / (factor * stride);
    cpu::forEachCoordinate(builder, {blocks, factor, stride},
                           [&](ImplicitLocOpBuilder &nested, ValueRange at) {
                             LoopBuilder b(nested);
                             Value to = b.index(b.index(at[0], factor, at[1]),
                                                stride, at[2]);
                             other.store(b, sum(b, factor, stride, at), to);
                           });
  }

  /// Returns y[(b p + q) s + a], where `at` is (b, q, a), p is `factor` and s
  /// is `stride`.
  Complex sum(LoopBuilder &builder, int64_t factor, int64_t stride,
              ValueRange at) {
    int64_t blocks = form.length / (factor * stride);
    Value angle = builder.index(at[1], stride, at[2]);
    SmallVector<Value> start(4, builder.real(part, 0));
    auto loop = scf::ForOp::create(
        builder, builder.index(0), builder.index(factor), builder.index(1),
        start, [&](OpBuilder &nested, Location loc, Value k, ValueRange sums) {
          LoopBuilder b(loc, nested);
          Value from = b.index(b.index(k, blocks, at[0]), stride, at[2]);
          Value turn = arith::RemUIOp::create(
              b, arith::MulIOp::create(b, k, angle), b.index(factor * stride));
          Complex root = roots.load(b, b.index(turn, blocks, b.index(0)));
          Complex x = row.load(b, from);
          auto re = CompensatedSum{sums[0], sums[1]}.add(
              b, b.sub(b.mul(x.re, root.re), b.mul(x.im, root.im)));
          auto im = CompensatedSum{sums[2], sums[3]}.add(
              b, b.add(b.mul(x.re, root.im), b.mul(x.im, root.re)));
          scf::YieldOp::create(b, ValueRange{re.sum, re.lost, im.sum, im.lost});
        });
    return {loop.getResult(0), loop.getResult(2)};
  }

  FourierTransform form;
  Type part;
  Row roots, row, other;
};

template <typename Op>
struct ConvertFourier : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileType type = op.getType();
    Type element = type.getElementType(), part = element;
    if (auto complex = dyn_cast<ComplexType>(element))
      part = complex.getElementType();
    FourierTransform form = op.getTransform();
    Value source = cpu::copyToBuffer(b, adaptor.getSource());
    Value result =
        cpu::createBuffer(b, RankedTensorType::get(type.getShape(), element));
    RowTransform transform(b, form, part);
    ArrayRef<int64_t> batchShape = type.getShape().drop_back();
    cpu::forEachCoordinate(b, batchShape,
                           [&](ImplicitLocOpBuilder &nested, ValueRange batch) {
                             transform.run(nested, source, batch);
                             write(nested, transform.getRow(), form, element,
                                   result, batch, type.getShape().back());
                           });
    rewriter.replaceOp(op, cpu::readBuffer(b, b.getLoc(), result));
    return success();
  }

private:
  static void write(ImplicitLocOpBuilder &builder, Row row,
                    const FourierTransform &form, Type element, Value result,
                    ValueRange batch, int64_t count) {
    cpu::forEachCoordinate(
        builder, {count}, [&](ImplicitLocOpBuilder &nested, ValueRange at) {
          LoopBuilder b(nested);
          Complex x = row.load(b, at[0]);
          if (form.scale != 1)
            x = {b.scale(x.re, form.scale), b.scale(x.im, form.scale)};
          Value value = x.re;
          if (isa<ComplexType>(element))
            value = complex::CreateOp::create(b, element, x.re, x.im);
          SmallVector<Value> coordinates(batch);
          coordinates.push_back(at[0]);
          memref::StoreOp::create(b, value, result, coordinates);
        });
  }
};
} // namespace

void cpu::populateFourierPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertFourier<FftOp>, ConvertFourier<IfftOp>,
               ConvertFourier<RfftOp>, ConvertFourier<IrfftOp>>(
      converter, patterns.getContext());
}
