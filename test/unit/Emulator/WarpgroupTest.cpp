// WarpgroupTest.cpp - tests results of wgmma, and findings of wrong
// synchronization
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace tile::emulator;

namespace {

constexpr uint32_t kRows = 64, kColumns = 24, kDepth = 16;
/// Offset in bytes of B in shared memory; A is at 0.
constexpr uint32_t kSecond = 8192;

/// Layout of a bf16 matrix in shared memory: panels of rows of `rowBytes`
/// bytes, with K along the rows or, transposed, across them.
struct Matrix {
  uint32_t rows, rowBytes;
  bool isTransposed;

  uint32_t getOffset(uint32_t row, uint32_t k) const {
    uint32_t line = isTransposed ? k : row;
    uint32_t byte = 2 * (isTransposed ? row : k);
    uint32_t offset =
        byte / rowBytes * getPanelBytes() + line * rowBytes + byte % rowBytes;
    // The index of the 16-byte unit is xored with bits of the offset in units
    // of 128 bytes (PTX ISA, "Swizzling Modes").
    uint32_t units = offset / 16, bits = rowBytes / 16 - 1;
    units ^= offset / 128 & bits;
    return units * 16 + offset % 16;
  }
  uint32_t getPanelBytes() const {
    return (isTransposed ? kDepth : rows) * rowBytes;
  }
  uint64_t getDescriptor(uint32_t address) const {
    uint64_t mode = rowBytes == 128 ? 1 : rowBytes == 64 ? 2 : 3;
    return (address & 0x3ffff) >> 4 | uint64_t(getPanelBytes() >> 4) << 16 |
           uint64_t(8 * rowBytes >> 4) << 32 | mode << 62;
  }
};

/// Settings that a test's kernel reads from `current`, since a kernel entry
/// takes no captures.
struct Case {
  Matrix a = {kRows, 32, false}, b = {kColumns, 32, false};
  bool hasFence = true, hasWait = true;
  /// Position of the proxy fence.
  enum { kNowhere, kBeforeWrites, kBehindWrites, kBehindBarrier };
  int proxyFence = kBehindBarrier;
  /// Whether asynchronous copies write A.
  bool hasCopies = false;
  /// Index of a thread that writes an element of A at the end, after a barrier
  /// if `hasBarrier`; -1 for none.
  int writer = -1;
  bool hasBarrier = true;
  /// Whether the writer instead writes between two barriers before the wait.
  bool isWrittenInFlight = false;
  /// Whether the accumulators are used before the wait.
  bool isReadInFlight = false;
  /// Whether A is in registers.
  bool hasRegisters = false;
  /// The index of a warp that uses another B, of a warp that multiplies at
  /// another site, and of a warp that does not multiply; -1 for none.
  int other = -1, elsewhere = -1, idle = -1;
};
Case current;

/// Sites of makeKernel that these kernels use for other instructions.
constexpr uint32_t kOrder = kVote, kMma2 = kPrint;

void storeHalf(Thread *t, uint32_t offset, uint16_t value) {
  char *address = getShared(t, offset);
  tile_emulator_access(t, kStore, address);
  std::memcpy(address, &value, sizeof value);
}

/// Computes d = a b + d by 128 threads.
void multiply(Thread *t, void **params) {
  auto *a = getParam<uint16_t>(params, 0), *b = getParam<uint16_t>(params, 1);
  auto *d = getParam<float>(params, 2);
  uint32_t thread = getThread(t), base = tile_emulator_shared_base(t);
  if (current.proxyFence == Case::kBeforeWrites)
    tile_emulator_proxy_fence(t, kOrder);
  // Two threads copy the halves of each row of 32 bytes.
  if (current.hasCopies) {
    uint32_t row = thread / 2, k = thread % 2 * 8;
    copy16(t, kCopy, getShared(t, current.a.getOffset(row, k)),
           a + row * kDepth + k);
    tile_emulator_copy_commit(t, kCommit);
    tile_emulator_copy_wait(t, kWait, 0);
  }
  for (uint32_t k = 0; k < kDepth; ++k) {
    if (thread < kRows && !current.hasCopies)
      storeHalf(t, current.a.getOffset(thread, k), a[thread * kDepth + k]);
    else if (thread >= kRows && thread - kRows < kColumns)
      storeHalf(t, kSecond + current.b.getOffset(thread - kRows, k),
                b[(thread - kRows) * kDepth + k]);
  }
  if (current.proxyFence == Case::kBehindWrites)
    tile_emulator_proxy_fence(t, kOrder);
  barrier(t);
  if (current.proxyFence == Case::kBehindBarrier)
    tile_emulator_proxy_fence(t, kOrder);
  float sums[kColumns / 2];
  uint32_t row = 16 * (thread / 32) + thread % 32 / 4;
  auto getIndex = [&](uint32_t i) {
    return (row + 8 * (i / 2 % 2)) * kColumns + i / 4 * 8 + 2 * (thread % 4) +
           i % 2;
  };
  for (uint32_t i = 0; i < kColumns / 2; ++i)
    sums[i] = d[getIndex(i)];
  if (current.hasFence)
    tile_emulator_warpgroup_fence(t, kOrder);
  int warp = int(thread / 32);
  uint32_t registers[4];
  for (uint32_t r = 0; r < 4; ++r)
    std::memcpy(&registers[r],
                &a[(row + 8 * (r % 2)) * kDepth + 2 * (thread % 4) + r / 2 * 8],
                sizeof registers[r]);
  if (current.hasRegisters)
    tile_emulator_warpgroup_mma_registers(
        t, kMma, sums, registers,
        current.b.getDescriptor(warp == current.other ? base : base + kSecond));
  else if (warp != current.idle)
    tile_emulator_warpgroup_mma(
        t, warp == current.elsewhere ? kMma2 : kMma, sums,
        current.a.getDescriptor(base),
        current.b.getDescriptor(warp == current.other ? base : base + kSecond));
  tile_emulator_warpgroup_commit(t, kOrder);
  if (current.isReadInFlight)
    tile_emulator_warpgroup_read(t, kLoad2, kMma);
  if (current.isWrittenInFlight) {
    barrier(t, kBarrier2);
    if (int(thread) == current.writer)
      storeHalf(t, 0, 0);
    barrier(t, kBarrier2);
  }
  if (current.hasWait) {
    tile_emulator_warpgroup_wait(t, kOrder, 0);
    tile_emulator_warpgroup_read(t, kLoad2, kMma);
  }
  for (uint32_t i = 0; i < kColumns / 2; ++i)
    d[getIndex(i)] = sums[i];
  if (current.hasBarrier)
    barrier(t, kBarrier2);
  if (int(thread) == current.writer && !current.isWrittenInFlight)
    storeHalf(t, 0, 0);
}

Outcome run(const Case &given, std::vector<uint16_t> &a,
            std::vector<uint16_t> &b, std::vector<float> &d, uint64_t seed) {
  current = given;
  Kernel kernel = makeKernel(multiply, 128, 2 * kSecond);
  kernel.sites[kStore].memory.bytes = kernel.sites[kStore].memory.alignment = 2;
  Site &site = kernel.sites[kMma];
  site.kind = SiteKind::WarpgroupMma;
  site.memory.space = AddressSpace::Shared;
  site.memory.bytes = site.memory.alignment = 16;
  site.mma = {
      kRows,           kColumns, kDepth, ElementType::BF16, ElementType::BF16,
      ElementType::F32};
  site.mma.isTransposedA = given.a.isTransposed;
  site.mma.isTransposedB = given.b.isTransposed;
  kernel.sites[kMma2] = site;
  kernel.sites[kOrder].kind = SiteKind::WarpgroupFence;
  TestLaunch launch(1);
  launch.add(a, false);
  launch.add(b, false);
  launch.add(d, true);
  Options options;
  options.seed = seed;
  return tile::emulator::run(kernel, launch, options);
}

std::string runOnZeros(const Case &given, uint64_t seed) {
  std::vector<uint16_t> a(kRows * kDepth), b(kColumns * kDepth);
  std::vector<float> d(kRows * kColumns);
  return summarize(run(given, a, b, d, seed));
}

double decode(uint16_t code) {
  uint32_t bits = uint32_t(code) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace

/// Compares matmuls of random values in every swizzle, along K and across it.
TEST(Warpgroup, AllLayoutsAgainstDouble) {
  const std::vector<Matrix> lefts = {{kRows, 32, false},
                                     {kRows, 128, true},
                                     {kRows, 64, true}},
                            rights = {{kColumns, 32, false},
                                      {kColumns, 32, true}};
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  auto draw = [&] {
    float value = normal(random);
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return uint16_t(bits >> 16);
  };
  for (size_t i = 0; i <= lefts.size(); ++i)
    for (const Matrix &right : rights) {
      Case given;
      given.hasRegisters = i == lefts.size();
      given.a = lefts[i % lefts.size()];
      given.b = right;
      std::vector<uint16_t> a(kRows * kDepth), b(kColumns * kDepth);
      std::vector<float> before(kRows * kColumns);
      std::generate(a.begin(), a.end(), draw);
      std::generate(b.begin(), b.end(), draw);
      for (float &value : before)
        value = normal(random);
      for (uint64_t seed = 0; seed < 3; ++seed) {
        std::vector<float> d = before;
        ASSERT_EQ(summarize(run(given, a, b, d, seed)), "");
        for (uint32_t i = 0; i < kRows; ++i)
          for (uint32_t j = 0; j < kColumns; ++j) {
            double sum = before[i * kColumns + j], size = std::fabs(sum);
            for (uint32_t k = 0; k < kDepth; ++k) {
              double product =
                  decode(a[i * kDepth + k]) * decode(b[j * kDepth + k]);
              sum += product;
              size += std::fabs(product);
            }
            ASSERT_NEAR(d[i * kColumns + j], sum, size * kDepth * 0x1p-24);
          }
      }
    }
}

TEST(Warpgroup, WithoutFence) {
  Case given;
  given.hasFence = false;
  EXPECT_EQ(runOnZeros(given, 0), "unordered product 28");
}

TEST(Warpgroup, WithoutWait) {
  Case given;
  given.hasWait = false;
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(runOnZeros(given, seed), "unordered product 28");
}

TEST(Warpgroup, OverwritesWhatIsReadWithoutBarrier) {
  Case given;
  for (int writer : {0, 5, 127}) {
    given.writer = writer;
    given.hasBarrier = true;
    for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
      EXPECT_EQ(runOnZeros(given, seed), "");
    given.hasBarrier = false;
    bool isFound = false;
    for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
      isFound |= runOnZeros(given, seed).find("race") == 0;
    EXPECT_TRUE(isFound) << writer;
  }
}

static void expectOnZeros(const Case &given, const char *findings) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(runOnZeros(given, seed), findings) << "seed " << seed;
}

/// A that was copied from shared memory to registers may be overwritten.
TEST(Warpgroup, Registers) {
  Case given;
  given.hasRegisters = true;
  EXPECT_EQ(runOnZeros(given, 0), "");
  given.writer = 5;
  given.hasBarrier = false;
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(runOnZeros(given, seed), "");
  given.hasWait = false;
  EXPECT_EQ(runOnZeros(given, 0), "unordered product 28");
  given.hasWait = true;
  given.other = 2;
  EXPECT_EQ(runOnZeros(given, 0).find("divergent product"), 0u);
}

/// Either the writer fences before the barrier, or the reader after it.
TEST(Warpgroup, ProxyFence) {
  Case given;
  for (bool hasCopies : {false, true}) {
    given.hasCopies = hasCopies;
    given.proxyFence = Case::kBehindWrites;
    expectOnZeros(given, "");
    given.proxyFence = Case::kBehindBarrier;
    expectOnZeros(given, "");
  }
}

TEST(Warpgroup, WithoutProxyFence) {
  Case given;
  for (auto position : {Case::kNowhere, Case::kBeforeWrites}) {
    given.proxyFence = position;
    given.hasCopies = false;
    expectOnZeros(given, "missing proxy fence 28 2");
    given.hasCopies = true;
    expectOnZeros(given, "missing proxy fence 28 22; missing proxy fence 28 2");
  }
}

TEST(Warpgroup, ReadsAccumulatorsBeforeWait) {
  Case given;
  given.isReadInFlight = true;
  expectOnZeros(given, "unordered product 1");
}

/// Barriers order threads, but not the reads of an MMA without a wait.
TEST(Warpgroup, OverwritesOperandsInFlight) {
  Case given;
  given.isWrittenInFlight = true;
  for (int writer : {0, 5, 127}) {
    given.writer = writer;
    expectOnZeros(given, "race 2 28");
  }
}

TEST(Warpgroup, WarpsThatMultiplyOtherThings) {
  for (int warp : {0, 3}) {
    Case given;
    given.other = warp;
    expectOnZeros(given, "divergent product 28 28");
    given.other = -1;
    given.idle = warp;
    expectOnZeros(given, "divergent product 28");
    given.idle = -1;
    given.elsewhere = warp;
    for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
      EXPECT_EQ(runOnZeros(given, seed).find("divergent product"), 0u);
  }
}
