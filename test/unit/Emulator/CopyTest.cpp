// CopyTest.cpp - tests asynchronous copies that race, or complete too late
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

using namespace tile::emulator;

/// Each thread copies 16 bytes, and reads bytes that the thread of the other
/// warp with the same lane copied.
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

/// The barrier precedes the wait for the second copies instead of following it.
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

/// A copy overwrites bytes that another thread may still read.
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

/// Uses two stages: while one is read, the other is filled. Waits until at most
/// `Pending` groups are in flight; correct is 1.
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

/// A copy is not awaited by the end: its group is allowed to be pending, or the
/// copy is in no group.
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
