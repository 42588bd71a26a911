// RandomToLoops.cpp - tile.random, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the definition of the operation without any
// optimization: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel Random
// Numbers: As Easy as 1, 2, 3", SC 2011) on the words of one element's key and
// counter.

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace tile;

namespace {
/// The random bits of one element: four words of 32 bits.
class Draw {
public:
  Draw(ImplicitLocOpBuilder &b, Value seed, Value counter)
      : b(b), i32(b.getI32Type()), i64(b.getI64Type()) {
    Value zero = constant(0);
    words = {getLow(counter), getHigh(counter), zero, zero};
    std::array<Value, 2> key = {getLow(seed), getHigh(seed)};
    for (uint32_t round = 0; round < 10; ++round)
      mix(addKey(key[0], round * 0x9E3779B9),
          addKey(key[1], round * 0xBB67AE85));
  }

  /// Returns word n if `width` is 32. If it is 64, returns words 2n + 1 (the
  /// high half) and 2n.
  Value getWord(int n, unsigned width) {
    if (width == 32)
      return words[n];
    Value high = arith::ShLIOp::create(
        b, arith::ExtUIOp::create(b, i64, words[2 * n + 1]),
        arith::ConstantIntOp::create(b, 32, 64));
    return arith::OrIOp::create(b, high,
                                arith::ExtUIOp::create(b, i64, words[2 * n]));
  }

  /// Returns a fraction in [0, 1): the `bits` high bits of getWord(n), as an
  /// integer, divided by two to the power of `bits`.
  Value getFraction(int n, unsigned bits, FloatType type) {
    unsigned width = type.isF64() ? 64 : 32;
    Value high = arith::ShRUIOp::create(
        b, getWord(n, width),
        arith::ConstantIntOp::create(b, width - bits, width));
    return arith::MulFOp::create(b, arith::UIToFPOp::create(b, type, high),
                                 real(type, std::ldexp(1.0, -int(bits))));
  }

  Value getNormal(FloatType type) {
    unsigned bits = type.getFPMantissaWidth();
    Value u = getFraction(0, bits, type), v = getFraction(1, bits, type);
    Value rest = arith::SubFOp::create(b, real(type, 1), u);
    Value radius = math::SqrtOp::create(
        b,
        arith::MulFOp::create(b, real(type, -2), math::LogOp::create(b, rest)));
    Value angle = arith::MulFOp::create(b, real(type, 2 * M_PI), v);
    return arith::MulFOp::create(b, radius, math::CosOp::create(b, angle));
  }

private:
  Value constant(uint32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(value)));
  }
  Value real(FloatType type, double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  Value getLow(Value word) { return arith::TruncIOp::create(b, i32, word); }
  Value getHigh(Value word) {
    return getLow(arith::ShRUIOp::create(
        b, word, arith::ConstantIntOp::create(b, 32, 64)));
  }
  Value addKey(Value key, uint32_t value) {
    return arith::AddIOp::create(b, key, constant(value));
  }

  void mix(Value key, Value otherKey) {
    auto first =
        arith::MulUIExtendedOp::create(b, words[0], constant(0xD2511F53));
    auto second =
        arith::MulUIExtendedOp::create(b, words[2], constant(0xCD9E8D57));
    auto bitXor = [&](Value x, Value y, Value z) -> Value {
      return arith::XOrIOp::create(b, arith::XOrIOp::create(b, x, y), z);
    };
    words = {bitXor(second.getHigh(), words[1], key), second.getLow(),
             bitXor(first.getHigh(), words[3], otherKey), first.getLow()};
  }

  ImplicitLocOpBuilder &b;
  Type i32, i64;
  std::array<Value, 4> words;
};

struct ConvertRandom : OpConversionPattern<RandomOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(RandomOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value buffer = cpu::createBuffer(b, type);
    cpu::forEachCoordinate(
        b, type.getShape(),
        [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          Value counter = arith::IndexCastOp::create(
              body, body.getI64Type(),
              cpu::buildRowMajorIndex(body, type.getShape(), coordinates));
          counter = arith::AddIOp::create(body, adaptor.getCounter(), counter);
          Value element = build(body, op, adaptor.getSeed(), counter);
          memref::StoreOp::create(body, element, buffer, coordinates);
        });
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), buffer));
    return success();
  }

private:
  /// Returns the element for `counter`, in its storage type.
  static Value build(ImplicitLocOpBuilder &b, RandomOp op, Value seed,
                     Value counter) {
    Type element = op.getType().getElementType();
    Draw draw(b, seed, counter);
    if (op.getDistribution() == Distribution::bits) {
      unsigned width = element.getIntOrFloatBitWidth();
      Value word = draw.getWord(0, std::max(width, 32u));
      return width < 32 ? arith::TruncIOp::create(b, element, word).getResult()
                        : word;
    }
    auto type = cast<FloatType>(element);
    auto wide = cast<FloatType>(cpu::getComputeType(element));
    Value value = op.getDistribution() == Distribution::uniform
                      ? draw.getFraction(0, type.getFPMantissaWidth(), wide)
                      : draw.getNormal(wide);
    return cpu::narrow(b, b.getLoc(), value, element);
  }
};
} // namespace

void cpu::populateRandomPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertRandom>(converter, patterns.getContext());
}
