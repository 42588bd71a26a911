// DecomposeRandom.cpp - tile.random as Philox4x32-10 on tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"

#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <array>

using namespace mlir;
using namespace tile;

namespace {
/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As
/// Easy as 1, 2, 3", SC 2011) on tiles.
class Philox {
public:
  using Words = std::array<Value, 4>;

  Philox(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape)
      : builder(builder), loc(loc), tiles(builder, loc, shape),
        i32(builder.getI32Type()), i64(builder.getI64Type()) {}

  /// Returns the four random words of each element.
  Words getWords(Value seed, Value counter) {
    Value counters =
        tiles.create<arith::AddIOp>(tiles.fill(counter), tiles.number(i64));
    Value zero = tiles.constant(i32, 0);
    Words words = {getLow(counters), getHigh(counters), zero, zero};
    Value key = tiles.fill(seed);
    Value low = getLow(key), high = getHigh(key);
    for (int round = 0; round < 10; ++round) {
      words = mix(words, low, high);
      low = tiles.create<arith::AddIOp>(low, tiles.constant(i32, 0x9E3779B9));
      high = tiles.create<arith::AddIOp>(high, tiles.constant(i32, 0xBB67AE85));
    }
    return words;
  }

  /// Returns the words of 64 bits with these halves.
  Value join(Value low, Value high) {
    Value shifted = tiles.create<arith::ShLIOp>(tiles.cast(high, i64),
                                                tiles.constant(i64, 32));
    return tiles.create<arith::OrIOp>(shifted, tiles.cast(low, i64));
  }

  /// Returns uniform values in [0, 1): the b highest bits of a word, where b is
  /// the mantissa width of the type, divided by 2^b. All these values are exact
  /// in the type.
  Value getUniform(Value word, FloatType type) {
    unsigned width =
        cast<TileType>(word.getType()).getElementType().getIntOrFloatBitWidth();
    unsigned bits = type.getFPMantissaWidth();
    Type integer = builder.getIntegerType(width);
    Value high = tiles.create<arith::ShRUIOp>(
        word, tiles.constant(integer, width - bits));
    return tiles.create<arith::MulFOp>(
        tiles.cast(high, type), tiles.constant(type, std::ldexp(1.0, -bits)));
  }

  /// Returns values of the normal distribution, computed from two uniform ones
  /// (Box and Muller, "A Note on the Generation of Random Normal Deviates",
  /// 1958).
  Value getNormal(Value u, Value v, FloatType type) {
    Value rest = tiles.create<arith::SubFOp>(tiles.constant(type, 1.0), u);
    Value logarithm = tiles.create<math::LogOp>(rest);
    Value size = tiles.create<math::SqrtOp>(
        tiles.create<arith::MulFOp>(tiles.constant(type, -2.0), logarithm));
    Value angle =
        tiles.create<arith::MulFOp>(tiles.constant(type, 6.283185307179586), v);
    return tiles.create<arith::MulFOp>(size, tiles.create<math::CosOp>(angle));
  }

  TileBuilder &getTiles() { return tiles; }

private:
  Value getLow(Value word) { return tiles.cast(word, i32); }
  Value getHigh(Value word) {
    return getLow(tiles.create<arith::ShRUIOp>(word, tiles.constant(i64, 32)));
  }

  Words mix(const Words &c, Value low, Value high) {
    auto multiply = [&](Value word, uint64_t factor) {
      return tiles.create<arith::MulIOp>(tiles.cast(word, i64),
                                         tiles.constant(i64, factor));
    };
    auto bitXor = [&](Value a, Value b) {
      return tiles.create<arith::XOrIOp>(a, b);
    };
    Value first = multiply(c[0], 0xD2511F53),
          second = multiply(c[2], 0xCD9E8D57);
    return {bitXor(bitXor(getHigh(second), c[1]), low), getLow(second),
            bitXor(bitXor(getHigh(first), c[3]), high), getLow(first)};
  }

  OpBuilder &builder;
  Location loc;
  TileBuilder tiles;
  Type i32, i64;
};
} // namespace

static Value createBits(Philox &philox, const Philox::Words &words,
                        Type element) {
  if (element.isInteger(64))
    return philox.join(words[0], words[1]);
  if (element.isInteger(32))
    return words[0];
  return philox.getTiles().cast(words[0], element);
}

static Value createUniform(Philox &philox, const Philox::Words &words,
                           FloatType element) {
  return philox.getUniform(
      element.isF64() ? philox.join(words[0], words[1]) : words[0], element);
}

static Value createNormal(Philox &philox, const Philox::Words &words,
                          FloatType element) {
  bool isDouble = element.isF64();
  Value first = isDouble ? philox.join(words[0], words[1]) : words[0];
  Value second = isDouble ? philox.join(words[2], words[3]) : words[1];
  auto type = isDouble ? element : Float32Type::get(element.getContext());
  Value normal = philox.getNormal(philox.getUniform(first, type),
                                  philox.getUniform(second, type), type);
  return type == element ? normal : philox.getTiles().cast(normal, element);
}

Replacements tile::decompose(RandomOp op, OpBuilder &builder) {
  Philox philox(builder, op.getLoc(), op.getType().getShape());
  Philox::Words words = philox.getWords(op.getSeed(), op.getCounter());
  Type element = op.getType().getElementType();
  auto create = [&]() {
    switch (op.getDistribution()) {
    case Distribution::bits:
      return createBits(philox, words, element);
    case Distribution::uniform:
      return createUniform(philox, words, cast<FloatType>(element));
    case Distribution::normal:
      return createNormal(philox, words, cast<FloatType>(element));
    }
    llvm_unreachable("a distribution");
  };
  return SmallVector<Value>{create()};
}
