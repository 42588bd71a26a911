// MmaTest.cpp - compares every matrix instruction with matrices in float64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

#include <cmath>
#include <random>

using namespace tile::emulator;
using T = ElementType;

//===----------------------------------------------------------------------===//
// Conversions of elements, written again from the definitions, by search
//===----------------------------------------------------------------------===//

static double decodeFloat(uint32_t code, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  uint32_t exponent = code >> mantissaBits & ((1u << exponentBits) - 1);
  uint32_t mantissa = code & ((1u << mantissaBits) - 1);
  bool isNegative = code >> (exponentBits + mantissaBits) & 1;
  double value = exponent ? std::ldexp(1 + std::ldexp(mantissa, -mantissaBits),
                                       int(exponent) - bias)
                          : std::ldexp(mantissa, 1 - bias - mantissaBits);
  return isNegative ? -value : value;
}

static double decode(T type, uint64_t code) {
  switch (type) {
  case T::F16:
    return decodeFloat(uint32_t(code), 5, 10);
  case T::BF16:
    return decodeFloat(uint32_t(code), 8, 7);
  case T::TF32:
    return decodeFloat(uint32_t(code) >> 13, 8, 10);
  case T::F8E4M3:
    return decodeFloat(uint32_t(code), 4, 3);
  case T::F8E5M2:
    return decodeFloat(uint32_t(code), 5, 2);
  case T::F32: {
    float value;
    auto bits = uint32_t(code);
    std::memcpy(&value, &bits, 4);
    return value;
  }
  case T::F64: {
    double value;
    std::memcpy(&value, &code, 8);
    return value;
  }
  case T::S8:
    return int8_t(code);
  case T::U8:
    return uint8_t(code);
  case T::S32:
    return int32_t(code);
  }
  return 0;
}

static int getBits(T type) {
  switch (type) {
  case T::F16:
  case T::BF16:
    return 16;
  case T::F8E4M3:
  case T::F8E5M2:
  case T::S8:
  case T::U8:
    return 8;
  case T::F64:
    return 64;
  default:
    return 32;
  }
}

/// Returns the code of a random finite value not far from 1, or of any integer.
static uint64_t makeCode(T type, std::mt19937 &random) {
  if (type == T::F64 || type == T::F32) {
    std::normal_distribution<double> normal;
    double value = normal(random);
    uint64_t code = 0;
    float narrow = float(value);
    type == T::F64 ? std::memcpy(&code, &value, 8)
                   : std::memcpy(&code, &narrow, 4);
    return code;
  }
  while (true) {
    uint64_t code = random();
    if (getBits(type) < 32)
      code &= (1u << getBits(type)) - 1;
    if (type == T::S8 || type == T::U8 || type == T::S32)
      return code;
    double value = std::fabs(decode(type, code));
    if (value < 8 && (value > 0.05 || value == 0 || value < 1e-6))
      return code;
  }
}

//===----------------------------------------------------------------------===//
// Fragments, as the tables of the PTX ISA list them
//===----------------------------------------------------------------------===//

struct Coordinates {
  int row, column;
};

/// Returns the coordinates in A of element `i` of lane `lane` (PTX ISA, "Matrix
/// Fragments for mma.m16n8k16 with floating point type" and the sections next
/// to it).
static Coordinates coordinatesOfA(const MmaFacts &mma, int lane, int i) {
  int group = lane >> 2, inGroup = lane % 4, bits = getBits(mma.a);
  if (bits >= 32) { // m8n8k4, m16n8k4, k8, k16
    bool isLow = mma.m == 16 && i % 2;
    return {group + (isLow ? 8 : 0), inGroup + 4 * (mma.m == 16 ? i / 2 : i)};
  }
  if (bits == 16) { // a0 a1 | a2 a3 eight rows below | a4.. eight columns on
    bool isLow = i == 2 || i == 3 || i == 6 || i == 7;
    return {group + (isLow ? 8 : 0), inGroup * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  }
  if (mma.m == 8)
    return {group, inGroup * 4 + (i & 3)};
  bool isLow = (i >= 4 && i < 8) || i >= 12;
  return {group + (isLow ? 8 : 0), inGroup * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}

static Coordinates coordinatesOfB(const MmaFacts &mma, int lane, int i) {
  int group = lane >> 2, inGroup = lane % 4, bits = getBits(mma.b);
  if (bits >= 32)
    return {inGroup + 4 * i, group};
  if (bits == 16)
    return {inGroup * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
  return {inGroup * 4 + (i & 3) + (i >= 4 ? 16 : 0), group};
}

static Coordinates coordinatesOfC(const MmaFacts &, int lane, int i) {
  return {(lane >> 2) + (i < 2 ? 0 : 8), (lane % 4) * 2 + (i & 1)};
}

/// Stores element `i` of one lane in `bytes`, the lane's registers of an
/// operand.
static void put(std::vector<unsigned char> &bytes, int bits, int i,
                uint64_t code) {
  size_t size = size_t(bits) / 8;
  if (bytes.size() < size * size_t(i + 1))
    bytes.resize(size * size_t(i + 1));
  std::memcpy(bytes.data() + size * size_t(i), &code, size);
}

namespace {
/// The registers of all lanes, and the matrices that the registers of a, b and
/// c contain.
struct Operands {
  std::array<std::vector<unsigned char>, 32> a, b, c, d;
  std::vector<double> matrixA, matrixB, matrixC;
};
} // namespace

static Operands makeOperands(const MmaFacts &mma, std::mt19937 &random) {
  Operands x;
  x.matrixA.assign(size_t(mma.m * mma.k), NAN);
  x.matrixB.assign(size_t(mma.k * mma.n), NAN);
  x.matrixC.assign(size_t(mma.m * mma.n), NAN);
  for (int lane = 0; lane < 32; ++lane) {
    auto l = size_t(lane);
    for (int i = 0; i < mma.m * mma.k / 32; ++i) {
      uint64_t code = makeCode(mma.a, random);
      put(x.a[l], getBits(mma.a), i, code);
      Coordinates coordinates = coordinatesOfA(mma, lane, i);
      x.matrixA[size_t(coordinates.row * mma.k + coordinates.column)] =
          decode(mma.a, code);
    }
    for (int i = 0; i < mma.k * mma.n / 32; ++i) {
      uint64_t code = makeCode(mma.b, random);
      put(x.b[l], getBits(mma.b), i, code);
      Coordinates coordinates = coordinatesOfB(mma, lane, i);
      x.matrixB[size_t(coordinates.row * mma.n + coordinates.column)] =
          decode(mma.b, code);
    }
    for (int i = 0; i < mma.m * mma.n / 32; ++i) {
      uint64_t code = makeCode(mma.accumulator, random);
      put(x.c[l], getBits(mma.accumulator), i, code);
      Coordinates coordinates = coordinatesOfC(mma, lane, i);
      x.matrixC[size_t(coordinates.row * mma.n + coordinates.column)] =
          decode(mma.accumulator, code);
    }
    x.d[l].resize(x.c[l].size());
  }
  return x;
}

/// Runs one mma of one warp on the machine.
static void runMma(const MmaFacts &mma, Operands &operands, uint64_t seed) {
  Kernel kernel = makeKernel(
      [](Thread *t, void **params) {
        auto &x = *getParam<Operands>(params, 0);
        uint32_t lane = tile_emulator_lane(t);
        tile_emulator_mma(t, kMma, x.d[lane].data(), x.a[lane].data(),
                          x.b[lane].data(), x.c[lane].data());
      },
      32, 0);
  kernel.sites[kMma].mma = mma;
  Launch launch;
  void *pointer = &operands;
  launch.params = {&pointer};
  Options options;
  options.seed = seed;
  EXPECT_EQ(summarize(run(kernel, launch, options)), "");
}

//===----------------------------------------------------------------------===//
// All instructions
//===----------------------------------------------------------------------===//

static std::vector<MmaFacts> getAllSupported() {
  std::vector<MmaFacts> all;
  T types[] = {T::F16,    T::BF16,   T::TF32, T::F32, T::F64,
               T::F8E4M3, T::F8E5M2, T::S8,   T::U8,  T::S32};
  for (int m : {8, 16})
    for (int k : {4, 8, 16, 32})
      for (T a : types)
        for (T b : types)
          for (T c : types)
            for (bool saturate : {false, true}) {
              MmaFacts mma = {m, 8, k, a, b, c, saturate};
              if (isSupported(mma) && (!saturate || c == T::S32))
                all.push_back(mma);
            }
  return all;
}

TEST(Mma, TheTable) {
  // f16 2x2, bf16 2, tf32 2, f64 4; s8 and u8 3 shapes x 4 x 2; fp8 2 x 4 x 2.
  EXPECT_EQ(getAllSupported().size(), 4u + 2 + 2 + 4 + 24 + 16);
}

static std::string nameOf(const MmaFacts &mma) {
  return "m" + std::to_string(mma.m) + "k" + std::to_string(mma.k) + " a " +
         std::to_string(int(mma.a)) + " b " + std::to_string(int(mma.b)) +
         " c " + std::to_string(int(mma.accumulator));
}

/// Returns the result of an instruction for an exact sum.
static double finish(const MmaFacts &mma, double exact) {
  if (mma.accumulator != T::S32)
    return exact;
  if (mma.saturate)
    return std::min(std::max(exact, -2147483648.0), 2147483647.0);
  return int32_t(uint32_t(int64_t(exact)));
}

TEST(Mma, AllAgainstDouble) {
  std::mt19937 random(7);
  for (const MmaFacts &mma : getAllSupported()) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      Operands x = makeOperands(mma, random);
      runMma(mma, x, seed);
      // The project's bounds for matmuls (benchmarks/README.md): the sum in
      // f32, and one rounding of the result.
      double unit = mma.accumulator == T::F64   ? 0x1p-53
                    : mma.accumulator == T::S32 ? 0
                                                : 0x1p-23;
      double rounding = mma.accumulator == T::F16 ? 0x1p-11 : 0;
      for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < mma.m * mma.n / 32; ++i) {
          Coordinates coordinates = coordinatesOfC(mma, lane, i);
          double sum =
              x.matrixC[size_t(coordinates.row * mma.n + coordinates.column)];
          double magnitude = std::fabs(sum);
          for (int k = 0; k < mma.k; ++k) {
            double product = x.matrixA[size_t(coordinates.row * mma.k + k)] *
                             x.matrixB[size_t(k * mma.n + coordinates.column)];
            sum += product;
            magnitude += std::fabs(product);
          }
          uint64_t code = 0;
          size_t size = size_t(getBits(mma.accumulator)) / 8;
          std::memcpy(&code, x.d[size_t(lane)].data() + size * size_t(i), size);
          double expected = finish(mma, sum);
          EXPECT_LE(std::fabs(decode(mma.accumulator, code) - expected),
                    mma.k * unit * magnitude + rounding * std::fabs(expected))
              << nameOf(mma) << " at " << coordinates.row << ", "
              << coordinates.column;
        }
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

/// Stores registers by stmatrix and loads them by ldmatrix, which must return
/// the same registers. Also compares shared memory with the table of ldmatrix.
TEST(Matrix, LoadAndStore) {
  for (uint8_t count : {1, 2, 4}) {
    for (bool isTransposed : {false, true}) {
      Kernel kernel = makeKernel(
          [](Thread *t, void **params) {
            auto *in = getParam(params, 0), *out = getParam(params, 1);
            auto count = load(t, kGlobalLoad, getParam(params, 2));
            uint32_t lane = tile_emulator_lane(t);
            // The rows are 48 bytes apart.
            char *row = getShared(t, 48 * lane);
            uint32_t words[4];
            for (uint32_t i = 0; i < count; ++i)
              words[i] = load(t, kGlobalLoad, in + 32 * i + lane);
            tile_emulator_store_matrix(t, kStoreMatrix, row, words);
            barrier(t);
            uint32_t back[4];
            tile_emulator_load_matrix(t, kLoadMatrix, row, back);
            for (uint32_t i = 0; i < count; ++i)
              store(t, kGlobalStore, out + 32 * i + lane, back[i]);
            // Compares 16-bit halves with the positions in the table.
            for (uint32_t i = 0; i < count; ++i)
              for (uint32_t half : {0u, 1u}) {
                uint32_t fast = lane % 4 * 2 + half, slow = lane / 4;
                bool isTransposed =
                    load(t, kGlobalLoad, getParam(params, 2) + 1);
                uint32_t r = isTransposed ? fast : slow;
                uint32_t c = isTransposed ? slow : fast;
                uint16_t value;
                std::memcpy(&value, getShared(t, 48 * (8 * i + r) + 2 * c), 2);
                if (value != uint16_t(back[i] >> 16 * half))
                  tile_emulator_trap(t, kAssert);
              }
          },
          32, 48 * 32);
      for (uint32_t site : {kLoadMatrix, kStoreMatrix})
        kernel.sites[site].matrix = {count, isTransposed, 16};
      std::vector<uint32_t> in(32 * count), out(32 * count), facts;
      facts = {count, isTransposed};
      std::mt19937 random(3);
      for (uint32_t &word : in)
        word = uint32_t(random());
      for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
        TestLaunch launch(1);
        launch.add(in, false);
        launch.add(out, true);
        launch.add(facts, false);
        Options options;
        options.seed = seed;
        EXPECT_EQ(summarize(run(kernel, launch, options)), "");
        EXPECT_EQ(in, out);
      }
    }
  }
}

/// Lane 3 provides the address of a row that the other warp has not finished
/// writing.
static void loadWhileWritten(Thread *t, void **) {
  uint32_t i = getThread(t);
  uint32_t words[4];
  if (i < 32)
    tile_emulator_access(t, kWideStore, getShared(t, 16 * i));
  barrier(t);
  // The last thread to reach a barrier continues first.
  if (i == 35)
    tile_emulator_access(t, kWideStore, getShared(t, 16 * 3));
  if (i < 32)
    tile_emulator_load_matrix(t, kLoadMatrix, getShared(t, 16 * i), words);
}

TEST(Matrix, RaceOfOneRow) {
  Outcome outcome = run(makeKernel(loadWhileWritten, 64, 1024), Launch());
  ASSERT_EQ(summarize(outcome), "race 26 5");
  EXPECT_EQ(outcome.findings[0].party.thread.lane, 3u);
  EXPECT_EQ(outcome.findings[0].party.thread.warp, 0u);
  EXPECT_EQ(outcome.findings[0].other.thread.lane, 3u);
  EXPECT_EQ(outcome.findings[0].other.thread.warp, 1u);
}
