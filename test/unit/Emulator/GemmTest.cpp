// GemmTest.cpp - runs a tensor-core matmul as the compiler generates it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel has blocks of 8 warps, tiles of 128 x 128 x 64, two stages filled
// by cp.async, swizzled rows of 128 bytes, ldmatrix and mma.m16n8k16.

#include "Kernels.h"

#include <chrono>
#include <cmath>
#include <new>
#include <random>

using namespace tile::emulator;

constexpr uint32_t kTile = 128, kDepth = 64, kStages = 2;
constexpr uint32_t kOperandBytes = kTile * kDepth * 2;
constexpr uint32_t kStageBytes = 2 * kOperandBytes;
/// A warp's part of the tile: 64 x 32, as 4 x 4 fragments.
constexpr uint32_t kFragments = 4;

namespace {
/// The matrices are row-major: a is m x k, b is n x k, the transpose of the
/// right operand, and c is m x n.
struct Mma {
  const uint16_t *a, *b;
  float *c;
  uint32_t m, n, k;
};
} // namespace

/// Returns the offset of the 16 bytes at column 8 * `chunk` of row `row` in a
/// swizzled buffer with rows of 128 bytes.
static uint32_t swizzle(uint32_t row, uint32_t chunk) {
  return row * 128 + (chunk ^ (row % 8)) * 16;
}

/// Fills a stage: 1024 copies of 16 bytes for each of a and b.
static void fill(Thread *t, const Mma &x, uint32_t stage, uint32_t step) {
  for (uint32_t i = getThread(t); i < kTile * kDepth / 8; i += 256) {
    uint32_t row = i / 8, chunk = i % 8;
    uint32_t target = stage * kStageBytes + swizzle(row, chunk);
    size_t column = step * kDepth + 8 * chunk;
    uint32_t rowA = tile_emulator_block_index(t, 1) * kTile + row;
    uint32_t rowB = tile_emulator_block_index(t, 0) * kTile + row;
    copy16(t, kCopy, getShared(t, target), x.a + rowA * size_t(x.k) + column);
    copy16(t, kCopy2, getShared(t, target + kOperandBytes),
           x.b + rowB * size_t(x.k) + column);
  }
  tile_emulator_copy_commit(t, kCommit);
}

static void multiplyStage(Thread *t, uint32_t stage,
                          float (*sums)[kFragments][4]) {
  uint32_t lane = tile_emulator_lane(t), warp = tile_emulator_warp(t);
  uint32_t rowA = warp / 4 * 64, rowB = warp % 4 * 32;
  uint32_t base = stage * kStageBytes;
  for (uint32_t k = 0; k < kDepth / 16; ++k) {
    uint32_t a[kFragments][4], b[kFragments][2];
    for (uint32_t i = 0; i < kFragments; ++i) {
      uint32_t row = rowA + 16 * i + lane % 16;
      tile_emulator_load_matrix(
          t, kLoadMatrix, getShared(t, base + swizzle(row, 2 * k + lane / 16)),
          a[i]);
    }
    for (uint32_t j = 0; j < kFragments; j += 2) {
      uint32_t row = rowB + 8 * j + lane % 8 + lane / 16 * 8;
      tile_emulator_load_matrix(
          t, kLoadMatrix,
          getShared(t,
                    base + kOperandBytes + swizzle(row, 2 * k + lane / 8 % 2)),
          b[j]);
    }
    for (uint32_t i = 0; i < kFragments; ++i)
      for (uint32_t j = 0; j < kFragments; ++j)
        tile_emulator_mma(t, kMma, sums[i][j], a[i], b[j], sums[i][j]);
  }
}

template <bool HasLastBarrier>
static void multiplyTiles(Thread *t, void **params) {
  const Mma &x = *getParam<Mma>(params, 0);
  float sums[kFragments][kFragments][4] = {};
  uint32_t steps = x.k / kDepth;
  fill(t, x, 0, 0);
  for (uint32_t step = 0; step < steps; ++step) {
    if (step + 1 < steps)
      fill(t, x, (step + 1) % kStages, step + 1);
    else
      tile_emulator_copy_commit(t, kCommit);
    tile_emulator_copy_wait(t, kWait, 1);
    barrier(t);
    multiplyStage(t, step % kStages, sums);
    if (HasLastBarrier)
      barrier(t, kBarrier2);
  }
  uint32_t lane = tile_emulator_lane(t), warp = tile_emulator_warp(t);
  for (uint32_t i = 0; i < kFragments; ++i)
    for (uint32_t j = 0; j < kFragments; ++j)
      for (uint32_t half = 0; half < 2; ++half) {
        uint32_t row = tile_emulator_block_index(t, 1) * kTile + warp / 4 * 64 +
                       16 * i + 8 * half + lane / 4;
        uint32_t column = tile_emulator_block_index(t, 0) * kTile +
                          warp % 4 * 32 + 8 * j + lane % 4 * 2;
        float *target = x.c + row * size_t(x.n) + column;
        tile_emulator_access(t, kGlobalStore, target);
        std::memcpy(target, sums[i][j] + 2 * half, 8);
      }
}

namespace {
/// Allocator of memory that starts at a sector, as a GPU's does.
template <typename Value>
struct SectorAllocator {
  using value_type = Value;
  SectorAllocator() = default;
  template <typename Other>
  SectorAllocator(const SectorAllocator<Other> &) {}
  Value *allocate(size_t count) {
    return static_cast<Value *>(
        ::operator new(count * sizeof(Value), std::align_val_t(256)));
  }
  void deallocate(Value *values, size_t) {
    ::operator delete(values, std::align_val_t(256));
  }
  bool operator==(const SectorAllocator &) const { return true; }
  bool operator!=(const SectorAllocator &) const { return false; }
};
template <typename Value>
using SectorVector = std::vector<Value, SectorAllocator<Value>>;
} // namespace

/// Returns f16 codes of multiples of 1/8 from -1 to 1, and sets `values` to
/// their values.
static SectorVector<uint16_t> makeHalves(size_t count, std::mt19937 &random,
                                         std::vector<float> &values) {
  SectorVector<uint16_t> codes(count);
  values.resize(count);
  for (size_t i = 0; i < count; ++i) {
    int eighths = int(random() % 17) - 8;
    values[i] = float(eighths) / 8;
    uint32_t bits;
    std::memcpy(&bits, &values[i], 4);
    // The values have few bits, and none is subnormal.
    codes[i] = uint16_t(bits >> 16 & 0x8000);
    if (eighths)
      codes[i] |= uint16_t((bits >> 13 & 0x3ffff) - (112 << 10));
  }
  return codes;
}

namespace {
/// A matmul to run, with its arrays and the exact operands.
struct Gemm {
  Mma matmul;
  SectorVector<uint16_t> a, b;
  SectorVector<float> c;
  std::vector<float> valuesA, valuesB;

  Gemm(uint32_t m, uint32_t n, uint32_t k) {
    std::mt19937 random(m + n + k);
    a = makeHalves(size_t(m) * k, random, valuesA);
    b = makeHalves(size_t(n) * k, random, valuesB);
    c.assign(size_t(m) * n, NAN);
    matmul = {a.data(), b.data(), c.data(), m, n, k};
  }

  Outcome run(KernelEntry entry, const Options &options) {
    Kernel kernel = makeKernel(entry, 256, kStages * kStageBytes);
    MemoryFacts &store = kernel.sites[kGlobalStore].memory;
    store.bytes = store.alignment = 8;
    kernel.sites[kLoadMatrix].matrix.count = 4;
    TestLaunch launch(1);
    launch.grid = {matmul.n / kTile, matmul.m / kTile, 1};
    launch.add(a, false);
    launch.add(b, false);
    launch.add(c, true);
    launch.arrays[2].isInitialized = false;
    void *pointer = &matmul;
    launch.params = {&pointer};
    return tile::emulator::run(kernel, launch, options);
  }

  /// Expects exact results, since all sums are exact in f32.
  void expectExact() const {
    for (uint32_t i = 0; i < matmul.m; ++i)
      for (uint32_t j = 0; j < matmul.n; ++j) {
        double sum = 0;
        for (uint32_t k = 0; k < matmul.k; ++k)
          sum += double(valuesA[size_t(i) * matmul.k + k]) *
                 valuesB[size_t(j) * matmul.k + k];
        ASSERT_EQ(double(c[size_t(i) * matmul.n + j]), sum) << i << ", " << j;
      }
  }
};
} // namespace

TEST(Gemm, ExactAndCleanUnderEverySchedule) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Gemm gemm(256, 128, 192);
    Options options;
    options.seed = seed;
    Outcome outcome = gemm.run(multiplyTiles<true>, options);
    EXPECT_EQ(summarize(outcome), "");
    EXPECT_TRUE(outcome.isClean());
    gemm.expectExact();
  }
}

/// The barrier after the reads of a stage is missing, so that the next copies
/// may overwrite the stage while it is read.
TEST(Gemm, StageIsFilledWhileItIsRead) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Gemm gemm(128, 128, 192);
    Options options;
    options.seed = seed;
    Outcome outcome = gemm.run(multiplyTiles<false>, options);
    ASSERT_FALSE(outcome.findings.empty());
    for (const Finding &finding : outcome.findings) {
      EXPECT_EQ(finding.kind, FindingKind::Race);
      EXPECT_TRUE(finding.party.isAsync || finding.other.isAsync);
    }
  }
}

TEST(Gemm, Counters) {
  Gemm gemm(128, 128, 128);
  Options options;
  options.profile = true;
  Outcome outcome = gemm.run(multiplyTiles<true>, options);
  EXPECT_EQ(summarize(outcome), "");
  // A warp executes 6 ldmatrix for each of 2 iterations x 4 steps along K; each
  // reads four matrices without a conflict.
  const Counters &matrices = outcome.counters[kLoadMatrix];
  EXPECT_EQ(matrices.warps, 8u * 2 * 4 * 6);
  EXPECT_EQ(matrices.wavefronts, 4 * matrices.warps);
  EXPECT_EQ(matrices.minimalWavefronts, matrices.wavefronts);
  EXPECT_EQ(outcome.counters[kMma].threads, 32u * 8 * 2 * 4 * 16);
  // A warp copies four rows of 128 bytes at a time.
  const Counters &copies = outcome.counters[kCopy];
  EXPECT_EQ(copies.sectors, 128u * 128 * 2 / 32);
  // A store writes rows of 32 bytes, each of which is one sector.
  EXPECT_EQ(outcome.counters[kGlobalStore].sectors, 128u * 128 * 4 / 32);
  EXPECT_EQ(outcome.barriers, 4u);
}

//===----------------------------------------------------------------------===//
// Times, for docs/Emulator.md; run by hand
//===----------------------------------------------------------------------===//

template <typename Function>
static double measure(Function function) {
  auto start = std::chrono::steady_clock::now();
  function();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

TEST(Gemm, DISABLED_Time) {
  for (uint32_t size : {128u, 1024u}) {
    Gemm gemm(size, size, size == 128 ? 256 : size);
    Outcome outcome;
    double time =
        measure([&] { outcome = gemm.run(multiplyTiles<true>, Options()); });
    EXPECT_EQ(summarize(outcome), "");
    std::printf("%u: %.3f s\n", size, time);
  }
}

constexpr uint32_t kRepeats = 100'000;

TEST(Step, DISABLED_Time) {
  auto print = [](const char *what, uint32_t threads, KernelEntry entry) {
    Kernel kernel = makeKernel(entry, threads, 32768);
    double time = measure([&] { run(kernel, Launch()); });
    std::printf("%s: %.1f ns a thread\n", what,
                time / kRepeats / threads * 1e9);
  };
  print("meeting of a warp", 256, [](Thread *t, void **) {
    for (uint32_t i = 0; i < kRepeats; ++i)
      tile_emulator_warp_sync(t, kWarpSync, ~0u);
  });
  print("vote", 256, [](Thread *t, void **) {
    for (uint32_t i = 0; i < kRepeats; ++i)
      tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
  });
  print("barrier of 256", 256, [](Thread *t, void **) {
    for (uint32_t i = 0; i < kRepeats; ++i)
      barrier(t);
  });
  print("store of 16 bytes", 256, [](Thread *t, void **) {
    for (uint32_t i = 0; i < kRepeats; ++i)
      tile_emulator_access(t, kWideStore,
                           getShared(t, 16 * (i % 8 + 8 * getThread(t))));
  });
  print("load of 16 bytes that all threads load", 256, [](Thread *t, void **) {
    tile_emulator_access(t, kWideStore, getShared(t, 16 * getThread(t)));
    for (uint32_t i = 0; i < kRepeats; ++i) {
      if (i % 128 == 0)
        barrier(t);
      tile_emulator_access(t, kWideLoad, getShared(t, i % 256 * 16));
    }
  });
}
