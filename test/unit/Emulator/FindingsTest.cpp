// FindingsTest.cpp - wrong kernels, each told with its threads and sites
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

using namespace tile::emulator;

/// Runs `entry` by blocks of 64 threads and 1 KiB of shared memory.
static Outcome runShared(KernelEntry entry, uint64_t seed = 0,
                         uint32_t threads = 64) {
  Options options;
  options.seed = seed;
  return run(makeKernel(entry, threads, 1024), Launch(), options);
}

/// Expects the findings under every schedule.
static void expectShared(KernelEntry entry, const char *findings) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(summarize(runShared(entry, seed)), findings) << "seed " << seed;
}

/// Runs with two arrays, "argument 0" of 64 words to read and "argument 1" of
/// 64 words to write.
static Outcome runGlobal(KernelEntry entry, uint32_t blocks = 1,
                         uint64_t seed = 0, uint32_t threads = 64) {
  std::vector<uint32_t> in(64, 7), out(64, 0);
  TestLaunch launch(blocks);
  launch.add(in, /*isWritable=*/false);
  launch.add(out, /*isWritable=*/true);
  Options options;
  options.seed = seed;
  return run(makeKernel(entry, threads, 1024), launch, options);
}

//===----------------------------------------------------------------------===//
// Races in shared memory
//===----------------------------------------------------------------------===//

/// A thread reads what its neighbour in the other warp wrote.
static void readWithoutBarrier(Thread *t, void **) {
  uint32_t i = getThread(t);
  store(t, kStore, getShared(t, 4 * i), i);
  load(t, kLoad, getShared(t, 4 * (i ^ 32)));
}

TEST(Race, BetweenWarpsWithoutBarrier) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runShared(readWithoutBarrier, seed);
    // Who is first depends on the schedule; unwritten bytes may be read too.
    bool isFound = false;
    for (const Finding &finding : outcome.findings)
      isFound |= finding.kind == FindingKind::Race;
    EXPECT_TRUE(isFound) << "seed " << seed;
  }
}

TEST(Race, NamesThreadsSitesAndPlace) {
  Outcome outcome = runShared([](Thread *t, void **) {
    uint32_t i = getThread(t);
    if (i == 3)
      store(t, kStore, getShared(t, 40), 1);
    tile_emulator_warp_sync(t, kWarpSync, ~0u);
    if (i == 37)
      load(t, kLoad, getShared(t, 40));
  });
  ASSERT_EQ(summarize(outcome), "race 0 2");
  const Finding &race = outcome.findings[0];
  EXPECT_EQ(race.party.thread.warp, 1u);
  EXPECT_EQ(race.party.thread.lane, 5u);
  EXPECT_EQ(race.party.mode, AccessMode::Read);
  EXPECT_EQ(race.other.thread.warp, 0u);
  EXPECT_EQ(race.other.thread.lane, 3u);
  EXPECT_EQ(race.other.mode, AccessMode::Write);
  EXPECT_EQ(race.array, "shared memory");
  EXPECT_EQ(race.offset, 40);
  EXPECT_EQ(race.bytes, 4u);
  EXPECT_FALSE(race.other.isAsync);
  EXPECT_EQ(race.text.substr(0, race.text.find(" (0x")),
            "kernel.mlir:1:1: error: race: no barrier is between them\n"
            "  read by thread (37, 0, 0) of block (0, 0, 0) (warp 1, lane 5): "
            "ld.shared.b32 of tile.test at kernel.mlir:1:1\n"
            "  after write by thread (3, 0, 0) of block (0, 0, 0) (warp 0, "
            "lane 3): st.shared.b32 of tile.test at kernel.mlir:3:1\n"
            "  4 bytes at shared memory + 40 bytes");
}

/// Shuffles and votes meet the lanes of a warp, but order no memory.
TEST(Race, WithinWarpOrderedByVoteAlone) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        if (i >= 32)
          return;
        if (i == 0)
          store(t, kStore, getShared(t, 0), 1);
        tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
        if (i == 1)
          load(t, kLoad, getShared(t, 0));
      },
      "race 0 2");
}

TEST(Race, SilentWithinWarpOrderedByWarpSync) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        store(t, kStore, getShared(t, 4 * i), i);
        tile_emulator_warp_sync(t, kWarpSync, ~0u);
        load(t, kLoad, getShared(t, 4 * (i ^ 1)));
      },
      "");
}

/// Kernels whose stores by kStore are a scatter's, those by kStore2 another's.
static void expectScatter(KernelEntry entry, const char *findings) {
  Kernel kernel = makeKernel(entry, 64, 1024);
  kernel.sites[kStore].memory.scatter = 1;
  kernel.sites[kStore2].memory.scatter = 2;
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Options options;
    options.seed = seed;
    EXPECT_EQ(summarize(run(kernel, Launch(), options)), findings)
        << "seed " << seed;
  }
}

TEST(Race, SilentWithinScatter) {
  expectScatter(
      [](Thread *t, void **) {
        for (int i = 0; i < 3; ++i) {
          tile_emulator_scatter_iteration(t, 1);
          store(t, kStore, getShared(t, 0), getThread(t));
          barrier(t);
          load(t, kLoad, getShared(t, 0));
          barrier(t, kBarrier2);
        }
      },
      "");
}

TEST(Race, BetweenScatterAndReader) {
  expectScatter(
      [](Thread *t, void **) {
        if (getThread(t) >= 32)
          return;
        store(t, kStore, getShared(t, 0), getThread(t));
        tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
        if (getThread(t) == 7)
          load(t, kLoad, getShared(t, 0));
      },
      "race 0 2");
}

TEST(Race, BetweenScatters) {
  expectScatter(
      [](Thread *t, void **) {
        if (getThread(t) >= 32)
          return;
        store(t, kStore, getShared(t, 0), getThread(t));
        tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
        if (getThread(t) == 7)
          store(t, kStore2, getShared(t, 0), 7);
      },
      "race 3 2");
}

/// A thread that leaves out an execution is in the next one all the same.
TEST(Race, BetweenExecutionsOfScatter) {
  expectScatter(
      [](Thread *t, void **) {
        if (getThread(t) >= 32)
          return;
        for (uint32_t i = 0; i < 2; ++i) {
          tile_emulator_scatter_iteration(t, 1);
          if (getThread(t) == i)
            store(t, kStore, getShared(t, 0), i);
          tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
        }
      },
      "race 2 2");
}

/// What a thread reads and drops may be anything, also what nobody wrote; but
/// it must be there.
TEST(Race, SilentDroppedValue) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        if (i == 0)
          store(t, kStore, getShared(t, 0), 1);
        tile_emulator_access_if_used(t, kLoad, getShared(t, 0), i == 0);
        tile_emulator_access_if_used(t, kLoad, getShared(t, 4), 0);
      },
      "");
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        if (i == 0)
          tile_emulator_access_if_used(t, kLoad, getShared(t, 1024), 0);
      },
      "out of bounds 0");
}

TEST(Race, UsedValue) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        if (i == 0)
          store(t, kStore, getShared(t, 0), 1);
        barrier(t);
        tile_emulator_access_if_used(t, kLoad, getShared(t, 0), i == 1);
        tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
        if (i == 0)
          store(t, kStore, getShared(t, 0), 2);
      },
      "race 2 0");
}

/// bar.warp.sync of half a warp does not order the other half.
TEST(Race, WarpSyncOfOtherLanes) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        if (i >= 32)
          return;
        if (i == 0)
          store(t, kStore, getShared(t, 0), 1);
        tile_emulator_warp_sync(t, kWarpSync, i < 16 ? 0xffff : 0xffff0000);
        tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
        if (i == 16)
          load(t, kLoad, getShared(t, 0));
      },
      "race 0 2");
}

TEST(Race, SilentReadersBetweenBarriers) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        for (uint32_t round = 0; round < 5; ++round) {
          store(t, kStore, getShared(t, 4 * i), i + round);
          barrier(t);
          for (uint32_t other = 0; other < 64; other += 7)
            if (load(t, kLoad, getShared(t, 4 * other)) != other + round)
              tile_emulator_trap(t, kAssert);
          barrier(t, kBarrier2);
        }
      },
      "");
}

/// The second barrier is missing: a buffer is written again while it is read.
TEST(Race, WriteAfterReadOfReusedBuffer) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runShared(
        [](Thread *t, void **) {
          uint32_t i = getThread(t);
          for (uint32_t round = 0; round < 2; ++round) {
            store(t, kStore, getShared(t, 4 * i), round);
            barrier(t);
            load(t, kLoad, getShared(t, 4 * (i ^ 32)));
          }
        },
        seed);
    ASSERT_FALSE(outcome.findings.empty());
    for (const Finding &finding : outcome.findings) {
      EXPECT_EQ(finding.kind, FindingKind::Race);
      uint32_t sites[] = {finding.party.site, finding.other.site};
      std::sort(sites, sites + 2);
      EXPECT_EQ(sites[0], uint32_t(kLoad));
      EXPECT_EQ(sites[1], uint32_t(kStore));
    }
  }
}

/// Different bytes of one word do not race.
TEST(Race, SilentNeighbouringBytes) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        tile_emulator_access(t, kByteStore, getShared(t, i));
        *getShared(t, i) = char(i);
        barrier(t);
        load(t, kLoad, getShared(t, i / 4 * 4));
      },
      "");
}

TEST(Race, OneCommonByteOfWideAccess) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        if (i == 0)
          tile_emulator_access(t, kWideStore, getShared(t, 16));
        tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
        if (i == 1)
          tile_emulator_access(t, kByteStore, getShared(t, 31));
      },
      "race 6 5");
}

TEST(Race, TwoWritersOfOneWord) {
  expectShared([](Thread *t, void **) { store(t, kStore, getShared(t, 0), 1); },
               "race 2 2");
}

/// The warps meet two by two at barriers of their own; what warp 0 wrote is not
/// for warp 2.
TEST(Race, OtherNamedBarrier) {
  auto entry = [](Thread *t, void **) {
    uint32_t warp = tile_emulator_warp(t);
    if (getThread(t) == 0)
      store(t, kStore, getShared(t, 0), 1);
    tile_emulator_barrier(t, kBarrier, 1 + warp / 2, 64);
    if (getThread(t) == 32)
      load(t, kLoad, getShared(t, 0)); // ordered
    if (getThread(t) == 64)
      store(t, kStore2, getShared(t, 0), 2);
  };
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runShared(entry, seed, 128);
    ASSERT_FALSE(outcome.findings.empty()) << "seed " << seed;
    for (const Finding &finding : outcome.findings) {
      EXPECT_EQ(finding.kind, FindingKind::Race);
      EXPECT_TRUE(finding.party.site == kStore2 ||
                  finding.other.site == kStore2);
    }
  }
}

/// A producer arrives, a consumer waits: only what came before the arrival is
/// ordered.
TEST(Race, ArrivalOrdersWhatCameBefore) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        if (i < 32) {
          store(t, kStore, getShared(t, 4 * i), i);
          tile_emulator_barrier_arrive(t, kArrive, 1, 64);
        } else {
          tile_emulator_barrier(t, kBarrier, 1, 64);
          load(t, kLoad, getShared(t, 4 * (i - 32)));
        }
      },
      "");
}

TEST(Race, ArrivalDoesNotOrderWhatCameAfter) {
  auto entry = [](Thread *t, void **) {
    uint32_t i = getThread(t);
    if (i < 32) {
      tile_emulator_barrier_arrive(t, kArrive, 1, 64);
      store(t, kStore, getShared(t, 4 * i), i);
    } else {
      store(t, kStore2, getShared(t, 4 * i), i);
      tile_emulator_barrier(t, kBarrier, 1, 64);
      store(t, kStore2, getShared(t, 4 * (i - 32)), i);
    }
  };
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    std::string summary = summarize(runShared(entry, seed));
    EXPECT_TRUE(summary == "race 2 3" || summary == "race 3 2") << summary;
  }
}

//===----------------------------------------------------------------------===//
// Races with asynchronous copies
//===----------------------------------------------------------------------===//

/// Each thread copies 16 bytes and reads those of the thread `distance` on.
template <bool HasCommit, bool HasWait, bool HasBarrier, int Pending = 0>
static void copyAndRead(Thread *t, void **params) {
  uint32_t i = getThread(t), reader = (i + 32) % 64;
  auto *in = getParam(params, 0);
  copy16(t, kCopy, getShared(t, 16 * i), in + 4 * (i % 16));
  if (HasCommit)
    tile_emulator_copy_commit(t, kCommit);
  if (HasWait)
    tile_emulator_copy_wait(t, kWait, Pending);
  if (HasBarrier)
    barrier(t);
  if (load(t, kLoad, getShared(t, 16 * (HasBarrier ? reader : i))) != 7 &&
      HasCommit && HasWait && !Pending)
    tile_emulator_trap(t, kAssert);
  tile_emulator_copy_wait_all(t, kWait);
}

static void expectGlobal(KernelEntry entry, const char *findings) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(summarize(runGlobal(entry, 1, seed)), findings)
        << "seed " << seed;
}

TEST(Copy, SilentWaitAndBarrier) {
  expectGlobal(copyAndRead<true, true, true>, "");
}
TEST(Copy, SilentOwnBytesAfterWait) {
  expectGlobal(copyAndRead<true, true, false>, "");
}
TEST(Copy, WithoutWait) {
  expectGlobal(copyAndRead<true, false, true>, "race 0 22");
}
TEST(Copy, WithoutWaitByTheThreadItself) {
  expectGlobal(copyAndRead<true, false, false>, "race 0 22");
}
TEST(Copy, WithoutCommit) {
  expectGlobal(copyAndRead<false, true, true>, "race 0 22");
}
TEST(Copy, WaitForOneLess) {
  expectGlobal(copyAndRead<true, true, true, 1>, "race 0 22");
}

/// A barrier before the wait instead of after it.
TEST(Copy, WithoutBarrierAfterWait) {
  auto entry = [](Thread *t, void **params) {
    uint32_t i = getThread(t);
    copy16(t, kCopy, getShared(t, 16 * i), getParam(params, 0));
    tile_emulator_copy_wait_all(t, kWait);
    barrier(t);
    copy16(t, kCopy2, getShared(t, 16 * i), getParam(params, 0));
    tile_emulator_copy_commit(t, kCommit);
    barrier(t, kBarrier2);
    tile_emulator_copy_wait(t, kWait, 0);
    load(t, kLoad, getShared(t, 16 * (i ^ 32)));
  };
  expectGlobal(entry, "race 0 23");
}

/// A copy that overwrites what another thread may still read.
TEST(Copy, OverwritesWhatIsRead) {
  auto entry = [](Thread *t, void **params) {
    uint32_t i = getThread(t);
    store(t, kStore, getShared(t, 16 * i), i);
    barrier(t);
    if (i < 32)
      load(t, kLoad, getShared(t, 16 * (i + 32)));
    else
      copy16(t, kCopy, getShared(t, 16 * i), getParam(params, 0));
    tile_emulator_copy_wait_all(t, kWait);
  };
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    std::string summary = summarize(runGlobal(entry, 1, seed));
    EXPECT_TRUE(summary == "race 22 0" || summary == "race 0 22") << summary;
  }
}

/// Two stages: while one is read, the other is filled; waits for all but one.
template <int Pending>
static void pipeline(Thread *t, void **params) {
  uint32_t i = getThread(t);
  auto *in = getParam(params, 0);
  auto fill = [&](uint32_t stage) {
    copy16(t, kCopy, getShared(t, 512 * stage + 16 * (i % 32)), in,
           /*sourceBytes=*/i < 32 ? 16 : 0);
    tile_emulator_copy_commit(t, kCommit);
  };
  if (i >= 32)
    return;
  fill(0);
  for (uint32_t round = 0; round < 6; ++round) {
    fill((round + 1) % 2);
    tile_emulator_copy_wait(t, kWait, Pending);
    tile_emulator_warp_sync(t, kWarpSync, ~0u);
    load(t, kLoad, getShared(t, 512 * (round % 2) + 16 * (31 - i)));
    tile_emulator_warp_sync(t, kWarpSync, ~0u);
  }
  tile_emulator_copy_wait_all(t, kWait);
}

TEST(Copy, SilentTwoStages) { expectGlobal(pipeline<1>, ""); }
TEST(Copy, TwoStagesWaitForOneMore) {
  expectGlobal(pipeline<2>, "race 0 22; race 22 22");
}

/// Whether it has landed or not, and whether it is in a group or not.
TEST(Copy, InFlightAtTheEnd) {
  expectGlobal(
      [](Thread *t, void **params) {
        copy16(t, kCopy, getShared(t, 16 * getThread(t)), getParam(params, 0));
        tile_emulator_copy_commit(t, kCommit);
        tile_emulator_copy_wait(t, kWait, 1);
      },
      "copy in flight 22");
  expectGlobal(
      [](Thread *t, void **params) {
        copy16(t, kCopy, getShared(t, 16 * getThread(t)), getParam(params, 0));
        tile_emulator_copy_wait(t, kWait, 0);
      },
      "copy in flight 22");
}

/// Bytes beyond the source are zero, and the source is not read there.
TEST(Copy, SilentFillsWithZeros) {
  expectGlobal(
      [](Thread *t, void **params) {
        uint32_t i = getThread(t);
        copy16(t, kCopy, getShared(t, 16 * i), getParam(params, 0) + 63 * 4, 0);
        copy16(t, kCopy, getShared(t, 16 * i), getParam(params, 0) + 60,
               i % 2 ? 0 : 0);
        tile_emulator_copy_wait_all(t, kWait);
      },
      "race 22 22"); // two copies to the same bytes are not ordered
  expectGlobal(
      [](Thread *t, void **params) {
        uint32_t i = getThread(t);
        copy16(t, kCopy, getShared(t, 16 * i), getParam(params, 0) + 60,
               i % 17);
        tile_emulator_copy_wait_all(t, kWait);
        for (uint32_t word = 0; word < 4; ++word) {
          uint32_t bytes = std::min(4u, i % 17 - std::min(i % 17, 4 * word));
          uint32_t expected = bytes ? 7 : 0;
          if (load(t, kLoad, getShared(t, 16 * i + 4 * word)) != expected)
            tile_emulator_trap(t, kAssert);
        }
      },
      "");
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

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

/// A plain store that comes before a thread's own atomics is still one that
/// others' atomics race with.
TEST(Global, PlainStoreBeforeOwnAtomic) {
  Outcome outcome = runGlobal([](Thread *t, void **params) {
    if (getThread(t) == 0)
      store(t, kGlobalStore, getParam(params, 1), 1);
    if (getThread(t) < 2)
      addAtomic(t, kAtomicAdd, getParam(params, 1), 1);
  });
  EXPECT_EQ(summarize(outcome), "race 9 8");
}

/// One block hands a value over to another with release and acquire.
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

/// With two host threads, for the one block waits for the other.
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
/// A release for the threads of the own block is not for the other's, and the
/// two atomics themselves are not atomic with each other.
TEST(Global, ReleaseOfBlockScope) {
  std::string found = runHandOver(handOver<kRelease2, kAcquireLoad>);
  EXPECT_NE(found.find("race 7 8"), std::string::npos) << found;
  bool isTold = found.find("race 11 31") != std::string::npos ||
                found.find("race 31 11") != std::string::npos;
  EXPECT_TRUE(isTold) << found;
}

/// What one block releases in its shared memory is not for the next block
/// there.
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
/// atomic read-modify-write goes on with what was released, a store ends it
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
    loadAtomic(t, kAcquireLoad, flag); // the 2 alone
    load(t, kGlobalLoad, data);
  }
}
TEST(Global, SilentReadModifyWriteBetween) { expectGlobal(passOn<false>, ""); }
TEST(Global, StoreBetweenReleaseAndAcquire) {
  expectGlobal(passOn<true>, "race 7 8");
}

/// One warp hands a value over to the other in shared memory.
TEST(Race, SilentReleaseAndAcquireInSharedMemory) {
  expectShared(
      [](Thread *t, void **) {
        uint32_t i = getThread(t);
        auto *flag = reinterpret_cast<uint32_t *>(getShared(t, 64));
        if (i == 0)
          storeAtomic(t, kRelaxedStore, flag, 0);
        barrier(t);
        if (i == 0) {
          store(t, kStore, getShared(t, 0), 42);
          storeAtomic(t, kRelease2, flag, 1);
        } else if (i == 32) {
          while (!loadAtomic(t, kAcquireLoad, flag)) {
          }
          if (load(t, kLoad, getShared(t, 0)) != 42)
            tile_emulator_trap(t, kAssert);
        }
      },
      "");
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

TEST(Bounds, BeyondAnArray) {
  Outcome outcome = runGlobal([](Thread *t, void **params) {
    load(t, kGlobalLoad, getParam(params, 0) + getThread(t) + 1);
  });
  ASSERT_EQ(summarize(outcome), "out of bounds 7");
  EXPECT_FALSE(outcome.isComplete);
  const Finding &finding = outcome.findings[0];
  EXPECT_EQ(finding.party.thread.thread[0], 63u);
  EXPECT_EQ(finding.array, "argument 0");
  EXPECT_EQ(finding.offset, 256);
}

TEST(Bounds, BeforeAnArray) {
  Outcome outcome = runGlobal([](Thread *t, void **params) {
    store(t, kGlobalStore, getParam(params, 1) - 1, 0);
  });
  ASSERT_EQ(summarize(outcome), "out of bounds 8");
}

/// Words 0 to 5 of rows of 8 are the array's.
TEST(Bounds, InTheGapOfARow) {
  for (uint32_t column : {5u, 6u}) {
    std::vector<uint32_t> values(64, 1);
    TestLaunch launch(1);
    launch.add(values, true);
    launch.arrays[0].bytes = (7 * 8 + 6) * 4;
    launch.arrays[0].extents = {8, 6};
    launch.arrays[0].strides = {32, 4};
    std::vector<uint32_t> columns(1, column);
    launch.add(columns, false);
    Outcome outcome =
        run(makeKernel(
                [](Thread *t, void **params) {
                  uint32_t column = load(t, kGlobalLoad, getParam(params, 1));
                  load(t, kGlobalLoad, getParam(params, 0) + 8 + column);
                },
                1, 0),
            launch);
    EXPECT_EQ(summarize(outcome), column == 5 ? "" : "out of bounds 7");
  }
}

TEST(Bounds, BeyondSharedMemory) {
  Outcome outcome = runShared([](Thread *t, void **) {
    store(t, kStore, getShared(t, 1024 - 63 * 4 + 4 * getThread(t)), 0);
  });
  ASSERT_EQ(summarize(outcome), "out of bounds 2");
  EXPECT_EQ(outcome.findings[0].party.thread.thread[0], 63u);
  EXPECT_EQ(outcome.findings[0].offset, 1024);
}

TEST(Bounds, CopyBeyondTheSource) {
  Outcome outcome = runGlobal([](Thread *t, void **params) {
    copy16(t, kCopy, getShared(t, 16 * getThread(t)),
           getParam(params, 0) + 4 * getThread(t));
    tile_emulator_copy_wait_all(t, kWait);
  });
  ASSERT_EQ(summarize(outcome), "out of bounds 22");
  EXPECT_EQ(outcome.findings[0].party.thread.thread[0], 16u);
  EXPECT_TRUE(outcome.findings[0].party.isAsync);
}

TEST(Bounds, WriteToReadOnlyArray) {
  Outcome outcome = runGlobal([](Thread *t, void **params) {
    store(t, kGlobalStore, getParam(params, 0), 0);
  });
  EXPECT_EQ(summarize(outcome), "write to a read-only array 8");
}

TEST(Bounds, Misaligned) {
  Outcome outcome = runShared([](Thread *t, void **) {
    tile_emulator_access(t, kWideStore, getShared(t, 16 * getThread(t) + 8));
  });
  ASSERT_EQ(summarize(outcome), "misaligned 5");
  EXPECT_EQ(outcome.findings[0].message,
            "expected an address that is a multiple of 16, got remainder 8");
}

TEST(Uninitialized, SharedMemory) {
  Outcome outcome = runShared([](Thread *t, void **) {
    uint32_t i = getThread(t);
    if (i % 32 != 9)
      store(t, kStore, getShared(t, 4 * i), i);
    barrier(t);
    if (i == 40)
      tile_emulator_access(t, kWideLoad, getShared(t, 16 * 10));
  });
  ASSERT_EQ(summarize(outcome), "uninitialized 4");
  EXPECT_EQ(outcome.findings[0].party.thread.thread[0], 40u);
  EXPECT_EQ(outcome.findings[0].offset, 4 * 41);
  EXPECT_EQ(outcome.findings[0].bytes, 4u);
  EXPECT_TRUE(outcome.isComplete);
}

TEST(Uninitialized, ArrayAndPoison) {
  std::vector<uint32_t> out(64);
  TestLaunch launch(1);
  launch.add(out, true);
  launch.arrays[0].isInitialized = false;
  Outcome outcome = run(makeKernel(
                            [](Thread *t, void **params) {
                              if (*getShared(t, 100) != char(0xff))
                                tile_emulator_trap(t, kAssert);
                              load(t, kGlobalLoad, getParam(params, 0));
                            },
                            1, 1024),
                        launch);
  EXPECT_EQ(summarize(outcome), "uninitialized 7");
}

//===----------------------------------------------------------------------===//
// Meetings that fail
//===----------------------------------------------------------------------===//

TEST(Meeting, ThreadReturnsBeforeBarrier) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runShared(
        [](Thread *t, void **) {
          if (getThread(t) != 33)
            barrier(t);
        },
        seed);
    ASSERT_EQ(summarize(outcome), "divergent barrier 16 returned");
    EXPECT_EQ(outcome.findings[0].other.thread.thread[0], 33u);
    EXPECT_FALSE(outcome.isComplete);
  }
}

TEST(Meeting, LanesAtDifferentBarriers) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runShared(
        [](Thread *t, void **) {
          if (getThread(t) % 32 < 16)
            barrier(t, kBarrier);
          else
            barrier(t, kBarrier2);
        },
        seed);
    ASSERT_FALSE(outcome.findings.empty());
    EXPECT_EQ(outcome.findings[0].kind, FindingKind::DivergentBarrier);
    EXPECT_EQ(outcome.findings[0].party.thread.warp,
              outcome.findings[0].other.thread.warp);
  }
}

/// Whole warps may come to a barrier at different instructions.
TEST(Meeting, SilentWarpsAtDifferentInstructions) {
  expectShared(
      [](Thread *t, void **) {
        barrier(t, tile_emulator_warp(t) ? kBarrier : kBarrier2);
      },
      "");
}

TEST(Meeting, BarriersInDifferentOrder) {
  Outcome outcome = runShared([](Thread *t, void **) {
    uint32_t first = tile_emulator_warp(t);
    tile_emulator_barrier(t, kBarrier, first, 64);
    tile_emulator_barrier(t, kBarrier2, 1 - first, 64);
  });
  EXPECT_EQ(summarize(outcome), "divergent barrier 16 16");
}

TEST(Meeting, BarrierForMoreThreadsThanThereAre) {
  Outcome outcome = runShared(
      [](Thread *t, void **) { tile_emulator_barrier(t, kBarrier, 1, 96); });
  EXPECT_EQ(summarize(outcome), "deadlock 16");
}

TEST(Meeting, BarrierCountsDiffer) {
  Outcome outcome = runShared([](Thread *t, void **) {
    tile_emulator_barrier(t, kBarrier, 1, getThread(t) < 32 ? 64 : 32);
  });
  EXPECT_EQ(summarize(outcome), "divergent barrier 16");
}

TEST(Meeting, MaskNamesALaneThatReturned) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runShared(
        [](Thread *t, void **) {
          if (getThread(t) == 5)
            return;
          tile_emulator_shuffle(t, kShuffle, ~0u, 1, 1, 31, nullptr);
        },
        seed, 32);
    ASSERT_EQ(summarize(outcome), "lying mask 20 returned");
    EXPECT_EQ(outcome.findings[0].other.thread.lane, 5u);
  }
}

TEST(Meeting, MaskNamesALaneThatIsElsewhere) {
  Outcome outcome = runShared([](Thread *t, void **) {
    if (getThread(t) % 2)
      tile_emulator_shuffle(t, kShuffle, ~0u, 1, 1, 31, nullptr);
    else
      tile_emulator_vote(t, kVote, ~0u, 1, nullptr);
  });
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(summarize(outcome.findings[0]), "lying mask 21 20");
}

TEST(Meeting, MaskLeavesOutTheLaneItself) {
  Outcome outcome = runShared([](Thread *t, void **) {
    tile_emulator_shuffle(t, kShuffle, 0xffff, 1, 1, 31, nullptr);
  });
  EXPECT_EQ(summarize(outcome), "lying mask 20");
}

TEST(Meeting, MatrixInstructionOfHalfAWarp) {
  Outcome outcome = runShared(
      [](Thread *t, void **) {
        uint32_t words[16] = {};
        tile_emulator_mma(t, kMma, words, words + 4, words + 8, words);
      },
      0, 16);
  EXPECT_EQ(summarize(outcome), "lying mask 28");
}

TEST(Meeting, SpinsForEver) {
  std::vector<uint32_t> flag(1);
  TestLaunch launch(1);
  launch.add(flag, true);
  Options options;
  options.spinLimit = 10000;
  Outcome outcome =
      run(makeKernel(
              [](Thread *t, void **params) {
                while (!loadAtomic(t, kRelaxedLoad, getParam(params, 0))) {
                }
              },
              64, 0),
          launch, options);
  EXPECT_EQ(summarize(outcome), "deadlock 13");
}

//===----------------------------------------------------------------------===//
// The kernel's own
//===----------------------------------------------------------------------===//

TEST(Debugging, AssertionEndsTheBlock) {
  Outcome outcome = runShared([](Thread *t, void **) {
    if (getThread(t) == 7)
      tile_emulator_assert_fail(t, kAssert, "i < n", "kernel.mlir", 3, "f");
  });
  ASSERT_EQ(summarize(outcome), "assertion failed 29");
  EXPECT_EQ(outcome.findings[0].message, "i < n (kernel.mlir:3, f)");
  EXPECT_EQ(outcome.findings[0].party.thread.thread[0], 7u);
}

TEST(Debugging, Print) {
  struct {
    int32_t integer;
    double number;
    const char *text;
    int64_t wide;
    int32_t character;
  } arguments = {-3, 1.5, "tile", 1ll << 40, 'x'};
  static void *buffer;
  buffer = &arguments;
  std::string text;
  Options options;
  options.print = [&](std::string_view part) { text += part; };
  Outcome outcome =
      run(makeKernel(
              [](Thread *t, void **) {
                tile_emulator_print(t, kPrint, "%d %5.2f|%-6s|%lld %c 100%%\n",
                                    buffer);
              },
              1, 0),
          Launch(), options);
  EXPECT_TRUE(outcome.isClean());
  EXPECT_EQ(text, "-3  1.50|tile  |1099511627776 x 100%\n");
}

//===----------------------------------------------------------------------===//
// What is refused before anything runs
//===----------------------------------------------------------------------===//

static void doNothing(Thread *, void **) {}

TEST(Refusal, GridOfZero) {
  Launch launch;
  launch.grid = {1, 0, 1};
  EXPECT_EQ(run(makeKernel(doNothing, 32, 0), launch).refusal,
            "expected a grid of 1 to 65535 along y, got 0");
}
TEST(Refusal, BlockTooLarge) {
  Kernel kernel = makeKernel(doNothing, 1024, 0);
  kernel.block[1] = 2;
  EXPECT_EQ(run(kernel, Launch()).refusal,
            "expected at most 1024 threads in a block, got 2048");
}
TEST(Refusal, SharedMemoryTooLarge) {
  EXPECT_EQ(run(makeKernel(doNothing, 32, 232449), Launch()).refusal,
            "expected at most 232448 bytes of shared memory, got 232449");
}
TEST(Refusal, UnknownMma) {
  Kernel kernel = makeKernel(doNothing, 32, 0);
  kernel.sites[kMma].mma.k = 32;
  EXPECT_EQ(run(kernel, Launch()).refusal,
            "expected an mma that the emulator has, got m16n8k32 (mma.sync at "
            "kernel.mlir:29:1)");
}
TEST(Refusal, NullArray) {
  Launch launch;
  launch.arrays.push_back({"argument 0", nullptr, 4, {}, {}, 4, true, true});
  EXPECT_EQ(run(makeKernel(doNothing, 32, 0), launch).refusal,
            "expected memory of argument 0, got a null pointer");
}
