// Mma.cpp - MMAs of matrix fragments
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rule describes, for all shapes, which elements of a matrix the registers
// of a warp hold (PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating
// point type" and the sections next to it). With g = lane / 4, t = lane % 4,
// and E elements in a register (E = 1 if an element fills a register; an f64
// counts as one register of 64 bits):
//
//   a   register r holds row g + 8 (r mod m/8),
//                        columns 4 E (r div m/8) + E t + 0 .. E-1
//   b   register r holds rows 4 E r + E t + 0 .. E-1, column g
//   c   element i holds row g + 8 (i div 2), column 2 t + i mod 2
//
// where two elements of c are packed in a register if they are f16.

#include "Mma.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace tile::emulator;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static float toFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
static uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Returns the value of the magnitude bits of a small float, which is exact in
/// f32.
static float widen(uint32_t magnitude, int mantissaBits, int bias) {
  uint32_t exponent = magnitude >> mantissaBits;
  uint32_t mantissa = magnitude & ((1u << mantissaBits) - 1);
  if (exponent == 0)
    return std::ldexp(float(mantissa), 1 - bias - mantissaBits);
  return toFloat((exponent + 127 - uint32_t(bias)) << 23 |
                 mantissa << (23 - mantissaBits));
}

static float widenHalf(uint32_t bits) {
  float magnitude;
  if ((bits & 0x7c00) == 0x7c00)
    magnitude = toFloat(0x7f800000 | (bits & 0x3ff) << 13);
  else
    magnitude = widen(bits & 0x7fff, 10, 15);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// Returns the value of the f16 whose upper byte is `bits`.
static float widenE5M2(uint32_t bits) { return widenHalf(bits << 8); }

/// Returns the value of an e4m3 code: e4m3 has no infinity, and its NaN has all
/// bits set.
static float widenE4M3(uint32_t bits) {
  if ((bits & 0x7f) == 0x7f)
    return std::numeric_limits<float>::quiet_NaN();
  float magnitude = widen(bits & 0x7f, 3, 7);
  return bits & 0x80 ? -magnitude : magnitude;
}

/// Rounds to nearest, ties to even. For a denormal result, 0.5 is added: the
/// last bit of the sum has the weight 2^-24, as in an f16 denormal. For a
/// normal result, half of the last bit that is kept is added to the bits.
static uint32_t roundToHalf(float value) {
  uint32_t sign = toBits(value) >> 16 & 0x8000;
  float magnitude = std::fabs(value);
  if (!(magnitude < 65520)) // rounds to infinity, or NaN
    return sign | (std::isnan(value) ? 0x7e00 : 0x7c00);
  if (magnitude < 0x1p-14f) // denormal: multiples of 2^-24
    return sign | (toBits(magnitude + 0.5f) - toBits(0.5f));
  uint32_t bits = toBits(magnitude);
  bits += 0xfff + (bits >> 13 & 1);
  return sign | ((bits >> 13) - ((127 - 15) << 10));
}

/// Returns a table with the value of each code of `bits` bits, at most 16.
static std::vector<float> makeTable(int bits, float (*widen)(uint32_t)) {
  std::vector<float> table(size_t(1) << bits);
  for (uint32_t code = 0; code < table.size(); ++code)
    table[code] = widen(code);
  return table;
}

/// Writes the elements that the register `word` holds to `values`.
template <ElementType Type>
static void unpack(uint32_t word, float *values) {
  static_assert(Type != ElementType::F64, "in doubles");
  if constexpr (Type == ElementType::F16) {
    static const std::vector<float> table = makeTable(16, widenHalf);
    values[0] = table[word & 0xffff];
    values[1] = table[word >> 16];
  } else if constexpr (Type == ElementType::BF16) {
    values[0] = toFloat(word << 16);
    values[1] = toFloat(word & 0xffff0000);
  } else if constexpr (Type == ElementType::TF32) {
    values[0] = toFloat(word & ~0x1fffu);
  } else if constexpr (Type == ElementType::F8E4M3) {
    static const std::vector<float> table = makeTable(8, widenE4M3);
    for (int i = 0; i < 4; ++i)
      values[i] = table[word >> 8 * i & 0xff];
  } else if constexpr (Type == ElementType::F8E5M2) {
    static const std::vector<float> table = makeTable(8, widenE5M2);
    for (int i = 0; i < 4; ++i)
      values[i] = table[word >> 8 * i & 0xff];
  }
}

template <ElementType Type>
static void unpack(uint32_t word, int32_t *values) {
  for (int i = 0; i < 4; ++i) {
    uint32_t byte = word >> 8 * i & 0xff;
    values[i] = Type == ElementType::S8 ? int8_t(byte) : int32_t(byte);
  }
}

template <ElementType>
static void unpack(double word, double *values) {
  *values = word;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

namespace {
/// The operands of an MMA, with room for the largest shape. Elements are in
/// row-major order; rows of b and c have eight elements.
template <typename Value>
struct Matrices {
  alignas(32) Value a[16 * 32];
  alignas(32) Value b[32 * 8];
  alignas(32) Value c[16 * 8];
};
using Lanes = std::array<MmaOperands, 32>;
} // namespace

template <ElementType Type, typename Word, typename Value>
static void gatherA(const MmaFacts &mma, const Lanes &lanes, Value *a) {
  int packing = getPacking(Type), blocks = mma.m / 8;
  int count = mma.m * mma.k / 32 / packing;
  for (int lane = 0; lane < 32; ++lane) {
    auto *words = static_cast<const Word *>(lanes[size_t(lane)].a);
    for (int r = 0; r < count; ++r) {
      int row = lane / 4 + 8 * (r % blocks);
      int column = 4 * packing * (r / blocks) + packing * (lane % 4);
      unpack<Type>(words[r], a + row * mma.k + column);
    }
  }
}

template <ElementType Type, typename Word, typename Value>
static void gatherB(const MmaFacts &mma, const Lanes &lanes, Value *b) {
  constexpr int kMaxPacking = 4;
  int packing = getPacking(Type), count = mma.k / 4 / packing;
  for (int lane = 0; lane < 32; ++lane) {
    auto *words = static_cast<const Word *>(lanes[size_t(lane)].b);
    for (int r = 0; r < count; ++r) {
      Value values[kMaxPacking];
      unpack<Type>(words[r], values);
      int row = 4 * packing * r + packing * (lane % 4);
      for (int i = 0; i < packing; ++i)
        b[(row + i) * 8 + lane / 4] = values[i];
    }
  }
}

/// Returns the index in Matrices::c of element `i` of a lane's accumulator.
static int getPosition(int lane, int i) {
  return (lane / 4 + 8 * (i / 2)) * 8 + 2 * (lane % 4) + i % 2;
}

/// Collects the accumulators of all lanes, in the type of the computation.
template <typename Value>
static void gatherC(const MmaFacts &mma, const Lanes &lanes, Value *c) {
  for (int lane = 0; lane < 32; ++lane) {
    auto *words = static_cast<const Value *>(lanes[size_t(lane)].c);
    for (int i = 0; i < mma.m / 4; ++i)
      c[getPosition(lane, i)] = words[i];
  }
}
template <typename Value>
static void scatterD(const MmaFacts &mma, const Lanes &lanes, const Value *d) {
  for (int lane = 0; lane < 32; ++lane) {
    auto *words = static_cast<Value *>(lanes[size_t(lane)].d);
    for (int i = 0; i < mma.m / 4; ++i)
      words[i] = d[getPosition(lane, i)];
  }
}

static void gatherHalves(const MmaFacts &mma, const Lanes &lanes, float *c) {
  for (int lane = 0; lane < 32; ++lane) {
    auto *words = static_cast<const uint32_t *>(lanes[size_t(lane)].c);
    for (int r = 0; r < mma.m / 8; ++r)
      unpack<ElementType::F16>(words[r], c + getPosition(lane, 2 * r));
  }
}
static void scatterHalves(const MmaFacts &mma, const Lanes &lanes,
                          const float *d) {
  for (int lane = 0; lane < 32; ++lane) {
    auto *words = static_cast<uint32_t *>(lanes[size_t(lane)].d);
    for (int r = 0; r < mma.m / 8; ++r) {
      const float *pair = d + getPosition(lane, 2 * r);
      words[r] = roundToHalf(pair[0]) | roundToHalf(pair[1]) << 16;
    }
  }
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

/// Computes c += a b. A row of eight elements is a vector of the host.
static void accumulate(const MmaFacts &mma, Matrices<float> &x) {
  typedef float Row __attribute__((vector_size(32)));
  auto *b = reinterpret_cast<const Row *>(x.b);
  auto *c = reinterpret_cast<Row *>(x.c);
  for (int i = 0; i < mma.m; ++i) {
    Row sum = c[i];
    for (int k = 0; k < mma.k; ++k)
      sum += x.a[i * mma.k + k] * b[k];
    c[i] = sum;
  }
}

static void accumulate(const MmaFacts &mma, Matrices<double> &x) {
  for (int i = 0; i < mma.m; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < mma.k; ++k)
        x.c[i * 8 + j] =
            std::fma(x.a[i * mma.k + k], x.b[k * 8 + j], x.c[i * 8 + j]);
}

/// Computes c += a b. A sum of at most 32 terms of 8 by 8 bits cannot overflow;
/// only its addition to c can.
static void accumulate(const MmaFacts &mma, Matrices<int32_t> &x) {
  for (int i = 0; i < mma.m; ++i) {
    for (int j = 0; j < 8; ++j) {
      int64_t sum = x.c[i * 8 + j];
      for (int k = 0; k < mma.k; ++k)
        sum += int64_t(x.a[i * mma.k + k]) * x.b[k * 8 + j];
      if (mma.saturate)
        sum = std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX);
      x.c[i * 8 + j] = int32_t(uint32_t(uint64_t(sum)));
    }
  }
}

template <ElementType A, ElementType B>
static void multiplyFloats(const MmaFacts &mma, const Lanes &lanes) {
  Matrices<float> x;
  gatherA<A, uint32_t>(mma, lanes, x.a);
  gatherB<B, uint32_t>(mma, lanes, x.b);
  bool isHalf = mma.accumulator == ElementType::F16;
  isHalf ? gatherHalves(mma, lanes, x.c) : gatherC(mma, lanes, x.c);
  accumulate(mma, x);
  isHalf ? scatterHalves(mma, lanes, x.c) : scatterD(mma, lanes, x.c);
}

template <ElementType A, ElementType B, typename Word, typename Value>
static void multiplyValues(const MmaFacts &mma, const Lanes &lanes) {
  Matrices<Value> x;
  gatherA<A, Word>(mma, lanes, x.a);
  gatherB<B, Word>(mma, lanes, x.b);
  gatherC(mma, lanes, x.c);
  accumulate(mma, x);
  scatterD(mma, lanes, x.c);
}

template <ElementType A>
static void multiplyBytes(const MmaFacts &mma, const Lanes &lanes) {
  if (mma.b == ElementType::S8)
    multiplyValues<A, ElementType::S8, uint32_t, int32_t>(mma, lanes);
  else
    multiplyValues<A, ElementType::U8, uint32_t, int32_t>(mma, lanes);
}

template <ElementType A>
static void multiplyFloat8s(const MmaFacts &mma, const Lanes &lanes) {
  if (mma.b == ElementType::F8E4M3)
    multiplyFloats<A, ElementType::F8E4M3>(mma, lanes);
  else
    multiplyFloats<A, ElementType::F8E5M2>(mma, lanes);
}

void tile::emulator::multiply(const MmaFacts &mma, const Lanes &lanes) {
  using T = ElementType;
  switch (mma.a) {
  case T::F16:
    return multiplyFloats<T::F16, T::F16>(mma, lanes);
  case T::BF16:
    return multiplyFloats<T::BF16, T::BF16>(mma, lanes);
  case T::TF32:
    return multiplyFloats<T::TF32, T::TF32>(mma, lanes);
  case T::F64:
    return multiplyValues<T::F64, T::F64, double, double>(mma, lanes);
  case T::F8E4M3:
    return multiplyFloat8s<T::F8E4M3>(mma, lanes);
  case T::F8E5M2:
    return multiplyFloat8s<T::F8E5M2>(mma, lanes);
  case T::S8:
    return multiplyBytes<T::S8>(mma, lanes);
  case T::U8:
    return multiplyBytes<T::U8>(mma, lanes);
  case T::F32:
  case T::S32:
    return; // not isSupported
  }
}
