// FindingsTest.cpp - tests findings other than races, and refusals
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

using namespace tile::emulator;

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

/// The array consists of words 0 to 5 of each row of 8 words.
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

/// Whole warps may reach a barrier at different instructions.
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
// Assertions and printed text of the kernel
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
    double real;
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
// Errors reported before anything runs
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
