// CountersTest.cpp - tests counts of wavefronts, sectors and executions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

#include <numeric>

using namespace tile::emulator;

/// Returns the counters of one block by site. Expects that they are the same
/// under every schedule.
static std::vector<Counters> profile(KernelEntry entry, uint32_t threads) {
  std::vector<Counters> first;
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    // The array starts at a multiple of 128 bytes, a line.
    alignas(128) static uint32_t words[1024];
    Launch launch;
    Array array;
    array.base = words;
    array.bytes = sizeof words;
    launch.arrays.push_back(array);
    void *pointer = words;
    launch.params = {&pointer};
    Options options;
    options.seed = seed;
    options.profile = true;
    options.checkUninitialized = false;
    Outcome outcome = run(makeKernel(entry, threads, 8192), launch, options);
    EXPECT_EQ(summarize(outcome), "");
    if (seed == 0)
      first = outcome.counters;
    for (uint32_t i = 0; i < kNumSites; ++i) {
      EXPECT_EQ(outcome.counters[i].threads, first[i].threads);
      EXPECT_EQ(outcome.counters[i].warps, first[i].warps) << i;
      EXPECT_EQ(outcome.counters[i].wavefronts, first[i].wavefronts) << i;
      EXPECT_EQ(outcome.counters[i].sectors, first[i].sectors) << i;
    }
  }
  return first;
}

/// A column of words in rows of 128 bytes is in one bank; in rows of 132 bytes
/// each word is in its own.
TEST(Counters, BankConflictsOfAColumn) {
  auto counters = profile(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        for (uint32_t k = 0; k < 3; ++k) {
          load(t, kLoad, getShared(t, 128 * i));
          load(t, kLoad2, getShared(t, 132 * i));
        }
      },
      32);
  EXPECT_EQ(counters[kLoad].warps, 3u);
  EXPECT_EQ(counters[kLoad].wavefronts, 3u * 32);
  EXPECT_EQ(counters[kLoad].minimalWavefronts, 3u);
  EXPECT_EQ(counters[kLoad2].wavefronts, 3u);
}

TEST(Counters, WideAccessesTakeFourPasses) {
  auto counters = profile(
      [](Thread *t, void **) {
        tile_emulator_access(t, kWideLoad, getShared(t, 16 * getThread(t)));
      },
      64);
  EXPECT_EQ(counters[kWideLoad].warps, 2u);
  EXPECT_EQ(counters[kWideLoad].wavefronts, 8u);
  EXPECT_EQ(counters[kWideLoad].minimalWavefronts, 8u);
}

/// Pairs of lanes read the same 16 bytes: reads of two phases are merged, and
/// take two passes. Stores to the same bytes, by one lane of each pair, are not
/// merged, and take four passes.
TEST(Counters, LoadsOfPairsAreMergedAndStoresAreNot) {
  auto counters = profile(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        tile_emulator_access(t, kWideLoad, getShared(t, 16 * (i / 2)));
        barrier(t);
        if (i % 2 == 0)
          tile_emulator_access(t, kWideStore, getShared(t, 16 * (i / 2)));
      },
      32);
  EXPECT_EQ(counters[kWideLoad].wavefronts, 2u);
  EXPECT_EQ(counters[kWideLoad].minimalWavefronts, 2u);
  EXPECT_EQ(counters[kWideStore].wavefronts, 4u);
  EXPECT_EQ(counters[kWideStore].minimalWavefronts, 4u);
}

/// A load that different lanes execute in different iterations counts once per
/// iteration; the barrier separates the iterations.
TEST(Counters, DivergentLanes) {
  auto counters = profile(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        for (uint32_t k = 0; k < 4; ++k) {
          if (i % 4 == k)
            load(t, kLoad, getShared(t, 4 * i));
          barrier(t);
        }
      },
      32);
  EXPECT_EQ(counters[kLoad].threads, 32u);
  EXPECT_EQ(counters[kLoad].warps, 4u);
  EXPECT_EQ(counters[kLoad].wavefronts, 4u);
  EXPECT_EQ(counters[kBarrier].warps, 4u);
  EXPECT_EQ(counters[kBarrier].threads, 128u);
}

TEST(Counters, SectorsOfRowsAndColumns) {
  auto counters = profile(
      [](Thread *t, void **params) {
        uint32_t i = getThread(t);
        auto *words = getParam(params, 0);
        load(t, kGlobalLoad, words + i);
        store(t, kGlobalStore, words + 16 * i, 0);
        if (i == 0)
          addAtomic(t, kAtomicAdd, words + 8, 1);
      },
      1);
  EXPECT_EQ(counters[kGlobalLoad].sectors, 1u);
  counters = profile(
      [](Thread *t, void **params) {
        uint32_t i = getThread(t);
        auto *words = getParam(params, 0);
        load(t, kGlobalLoad, words + 8 * (i % 2) + i / 16);
        barrier(t);
        store(t, kGlobalStore, words + 16 * i, 0);
      },
      32);
  EXPECT_EQ(counters[kGlobalLoad].sectors, 2u);
  EXPECT_EQ(counters[kGlobalStore].sectors, 32u);
}

/// A copy counts as one execution for its source and its destination.
TEST(Counters, CopiesCountOnce) {
  auto counters = profile(
      [](Thread *t, void **params) {
        uint32_t i = getThread(t);
        copy16(t, kCopy, getShared(t, 16 * i), getParam(params, 0) + 4 * i,
               /*sourceBytes=*/i < 16 ? 16 : 0);
        tile_emulator_copy_wait_all(t, kWait);
      },
      32);
  EXPECT_EQ(counters[kCopy].warps, 1u);
  EXPECT_EQ(counters[kWait].warps, 1u);
  EXPECT_EQ(counters[kCopy].wavefronts, 4u);
  EXPECT_EQ(counters[kCopy].sectors, 8u);
}

/// Copies from different lines of 128 bytes are written in separate passes:
/// rows of 64 bytes need twice as many as rows of 128.
TEST(Counters, CopiesGoLineByLine) {
  auto counters = profile(
      [](Thread *t, void **params) {
        uint32_t i = getThread(t);
        uint32_t *words = getParam(params, 0);
        copy16(t, kCopy, getShared(t, 16 * i), words + 4 * i);
        copy16(t, kCopy2, getShared(t, 512 + 16 * i),
               words + 32 * (i / 4) + 4 * (i % 4));
        tile_emulator_copy_wait_all(t, kWait);
      },
      32);
  EXPECT_EQ(counters[kCopy].wavefronts, 4u);
  EXPECT_EQ(counters[kCopy].sectors, 16u);
  EXPECT_EQ(counters[kCopy2].wavefronts, 8u);
  EXPECT_EQ(counters[kCopy2].sectors, 16u);
}

TEST(Counters, Meetings) {
  auto counters = profile(
      [](Thread *t, void **) {
        for (uint32_t k = 0; k < 3; ++k)
          tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
      },
      64);
  EXPECT_EQ(counters[kVote].threads, 3u * 64);
  EXPECT_EQ(counters[kVote].warps, 3u * 2);
}

/// Progress is reported once for each block, in one call at a time.
TEST(Counters, ProgressIsOfAllBlocks) {
  std::vector<uint64_t> told;
  Launch launch;
  launch.grid = {5, 4, 1};
  Options options;
  options.hostThreads = 4;
  options.progress = [&](uint64_t ended, uint64_t all) {
    told.push_back(ended);
    EXPECT_EQ(all, 20u);
  };
  Outcome outcome =
      run(makeKernel([](Thread *, void **) {}, 32, 0), launch, options);
  EXPECT_EQ(summarize(outcome), "");
  std::vector<uint64_t> expected(20);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(told, expected);
}
