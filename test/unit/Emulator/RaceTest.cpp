// RaceTest.cpp - tests that races in shared memory are found with threads and
// sites
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

using namespace tile::emulator;

/// Each thread reads the word that the thread of the other warp with the same
/// lane wrote.
static void readWithoutBarrier(Thread *t, void **) {
  uint32_t i = getThread(t);
  store(t, kStore, getShared(t, 4 * i), i);
  load(t, kLoad, getShared(t, 4 * (i ^ 32)));
}

TEST(Race, BetweenWarpsWithoutBarrier) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Outcome outcome = runShared(readWithoutBarrier, seed);
    // The schedule determines which access is first; unwritten bytes may be
    // read too.
    bool isFound = false;
    for (const Finding &finding : outcome.findings)
      isFound |= finding.kind == FindingKind::Race;
    EXPECT_TRUE(isFound) << "seed " << seed;
  }
}

TEST(Race, NamesThreadsSitesAndOffset) {
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

/// Shuffles and votes synchronize the lanes of a warp, but order no memory.
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

/// Expects findings of a kernel in which kStore belongs to one scatter and
/// kStore2 to another.
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

/// A thread that skips one execution of a scatter takes part in the next one.
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

/// A value that a thread reads and drops may be anything, also uninitialized,
/// but its address must be in bounds.
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

/// The second barrier is missing: a buffer is overwritten while it is read.
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

/// Pairs of warps synchronize with their own barriers, so a write by warp 0 is
/// not ordered for warp 2.
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

/// A producer arrives, a consumer waits: only accesses before the arrival are
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

/// A warp passes a value to the other one in shared memory.
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
