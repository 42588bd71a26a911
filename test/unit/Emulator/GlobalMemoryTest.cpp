// GlobalMemoryTest.cpp - tests races in global memory, and operations that
// order it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

using namespace tile::emulator;

TEST(Global, RaceBetweenBlocks) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runGlobal(
        [](Thread *t, void **params) {
          if (getThread(t) == getBlock(t))
            store(t, kGlobalStore, getParam(params, 1) + 5, getBlock(t));
        },
        2, seed);
    ASSERT_EQ(summarize(outcome), "race 8 8") << "seed " << seed;
    const Finding &race = outcome.findings[0];
    EXPECT_NE(race.party.thread.block[0], race.other.thread.block[0]);
    EXPECT_EQ(race.party.thread.thread[0], race.party.thread.block[0]);
    EXPECT_EQ(race.other.thread.thread[0], race.other.thread.block[0]);
    EXPECT_EQ(race.array, "argument 1");
    EXPECT_EQ(race.offset, 20);
  }
}

/// The kernel counts blocks from the end, so its block 0 is the last of three
/// blocks.
TEST(Global, BlocksCountedFromTheEnd) {
  Kernel kernel = makeKernel(
      [](Thread *t, void **params) {
        if (getBlock(t) == 0 && getThread(t) == 0)
          load(t, kGlobalLoad, getParam(params, 0) + 64);
      },
      64, 1024);
  kernel.countsFromEnd = true;
  std::vector<uint32_t> in(64, 7);
  TestLaunch launch(3);
  launch.add(in, /*isWritable=*/false);
  Outcome outcome = run(kernel, launch);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].party.thread.block, (Dimensions{2, 0, 0}));
}

TEST(Global, SilentDisjointStoresAndSharedReads) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(summarize(runGlobal(
                  [](Thread *t, void **params) {
                    uint32_t i = getThread(t) + 32 * getBlock(t);
                    uint32_t value = load(t, kGlobalLoad, getParam(params, 0));
                    store(t, kGlobalStore, getParam(params, 1) + i, value);
                  },
                  2, seed, 32)),
              "");
}

TEST(Global, SilentAtomics) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(summarize(runGlobal(
                  [](Thread *t, void **params) {
                    addAtomic(t, kAtomicAdd, getParam(params, 1), 1);
                  },
                  8, seed)),
              "");
}

TEST(Global, AtomicAndPlainStore) {
  Outcome outcome = runGlobal([](Thread *t, void **params) {
    if (getThread(t) < 8)
      addAtomic(t, kAtomicAdd, getParam(params, 1), 1);
    else if (getThread(t) == 32)
      store(t, kGlobalStore, getParam(params, 1), 1);
  });
  EXPECT_EQ(summarize(outcome), "race 8 9");
}

/// A thread's plain store still races with atomics of other threads, even if
/// the thread executes an atomic after it.
TEST(Global, PlainStoreBeforeOwnAtomic) {
  Outcome outcome = runGlobal([](Thread *t, void **params) {
    if (getThread(t) == 0)
      store(t, kGlobalStore, getParam(params, 1), 1);
    if (getThread(t) < 2)
      addAtomic(t, kAtomicAdd, getParam(params, 1), 1);
  });
  EXPECT_EQ(summarize(outcome), "race 9 8");
}

/// Block 0 passes a value to the other block with release and acquire.
template <uint32_t StoreSite, uint32_t LoadSite, uint32_t Before = kNumSites,
          uint32_t After = Before>
static void handOver(Thread *t, void **params) {
  auto *data = getParam(params, 1);
  uint32_t *flag = data + 32;
  if (getThread(t) != 0)
    return;
  if (getBlock(t) == 0) {
    store(t, kGlobalStore, data, 42);
    if (Before != kNumSites)
      tile_emulator_fence(t, Before);
    storeAtomic(t, StoreSite, flag, 1);
    return;
  }
  while (!loadAtomic(t, LoadSite, flag)) {
  }
  if (After != kNumSites)
    tile_emulator_fence(t, After);
  if (load(t, kGlobalLoad, data) != 42)
    tile_emulator_trap(t, kAssert);
}

/// Runs `entry` on two host threads, since one block waits for the other.
static std::string runHandOver(KernelEntry entry) {
  std::vector<uint32_t> in(64, 7), out(64, 0);
  TestLaunch launch(2);
  launch.add(in, false);
  launch.add(out, true);
  Options options;
  options.hostThreads = 2;
  return summarize(run(makeKernel(entry, 32, 0), launch, options));
}

TEST(Global, SilentReleaseAndAcquire) {
  EXPECT_EQ(runHandOver(handOver<kReleaseStore, kAcquireLoad>), "");
}
TEST(Global, SilentFencesAndRelaxed) {
  EXPECT_EQ(runHandOver(handOver<kRelaxedStore, kRelaxedLoad, kDeviceFence>),
            "");
}
TEST(Global, FencesOfBlockScope) {
  EXPECT_EQ(
      runHandOver(
          handOver<kRelaxedStore, kRelaxedLoad, kBlockFence, kDeviceFence>),
      "race 7 8");
  EXPECT_EQ(
      runHandOver(
          handOver<kRelaxedStore, kRelaxedLoad, kDeviceFence, kBlockFence>),
      "race 7 8");
}
TEST(Global, RelaxedAlone) {
  EXPECT_EQ(runHandOver(handOver<kRelaxedStore, kRelaxedLoad>), "race 7 8");
}
TEST(Global, AcquireWithoutRelease) {
  EXPECT_EQ(runHandOver(handOver<kRelaxedStore, kAcquireLoad>), "race 7 8");
}
TEST(Global, AcquireOfBlockScope) {
  std::string found = runHandOver(handOver<kReleaseStore, kAcquire2>);
  EXPECT_NE(found.find("race 7 8"), std::string::npos) << found;
}
/// A release with block scope orders nothing for another block, and the two
/// atomics are not atomic with each other.
TEST(Global, ReleaseOfBlockScope) {
  std::string found = runHandOver(handOver<kRelease2, kAcquireLoad>);
  EXPECT_NE(found.find("race 7 8"), std::string::npos) << found;
  bool isTold = found.find("race 11 31") != std::string::npos ||
                found.find("race 31 11") != std::string::npos;
  EXPECT_TRUE(isTold) << found;
}

/// A release in the shared memory of one block does not order the next block
/// that has this memory.
TEST(Global, ReleaseInSharedMemoryOfAnotherBlock) {
  std::vector<uint32_t> in(64, 7), out(64, 0);
  TestLaunch launch(2);
  launch.add(in, false);
  launch.add(out, true);
  Options options;
  options.hostThreads = 1;
  options.checkUninitialized = false;
  Outcome outcome =
      run(makeKernel(
              [](Thread *t, void **params) {
                auto *flag = reinterpret_cast<uint32_t *>(getShared(t, 64));
                if (getBlock(t) == 0) {
                  store(t, kGlobalStore, getParam(params, 1), 42);
                  storeAtomic(t, kReleaseStore, flag, 1);
                  return;
                }
                loadAtomic(t, kAcquireLoad, flag);
                load(t, kGlobalLoad, getParam(params, 1));
              },
              1, 128),
          launch, options);
  EXPECT_EQ(summarize(outcome), "race 7 8");
}

/// A second thread changes the flag between the release and the acquire. An
/// atomic read-modify-write continues the release sequence, a store ends it
/// (PTX ISA, "Release and acquire patterns").
template <bool IsStore>
static void passOn(Thread *t, void **params) {
  auto *data = getParam(params, 1);
  uint32_t *flag = data + 32;
  switch (getThread(t)) {
  case 0:
    store(t, kGlobalStore, data, 42);
    storeAtomic(t, kReleaseStore, flag, 1);
    break;
  case 1:
    while (!loadAtomic(t, kRelaxedLoad, flag)) {
    }
    IsStore ? storeAtomic(t, kRelaxedStore, flag, 2)
            : void(addAtomic(t, kExchange, flag, 1));
    break;
  case 2:
    while (loadAtomic(t, kRelaxedLoad, flag) != 2) {
    }
    loadAtomic(t, kAcquireLoad, flag); // continues after it has read 2
    load(t, kGlobalLoad, data);
  }
}
TEST(Global, SilentReadModifyWriteBetween) { expectGlobal(passOn<false>, ""); }
TEST(Global, StoreBetweenReleaseAndAcquire) {
  expectGlobal(passOn<true>, "race 7 8");
}
