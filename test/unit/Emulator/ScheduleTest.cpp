// ScheduleTest.cpp - tests that schedules differ, but give equal results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

using namespace tile::emulator;

/// Each block adds its 96 words in shared memory. Each step adds the second
/// half of the words to the first half.
static void sum(Thread *t, void **params) {
  uint32_t i = getThread(t), block = getBlock(t);
  store(t, kStore, getShared(t, 4 * i),
        load(t, kGlobalLoad, getParam(params, 0) + 96 * block + i));
  for (uint32_t half : {48u, 24u, 12u, 6u, 3u}) {
    barrier(t);
    if (i >= half)
      continue;
    uint32_t a = load(t, kLoad, getShared(t, 4 * i));
    uint32_t b = load(t, kLoad2, getShared(t, 4 * (i + half)));
    store(t, kStore2, getShared(t, 4 * i), a + b);
  }
  barrier(t);
  if (i == 0) {
    uint32_t total = 0;
    for (uint32_t j = 0; j < 3; ++j)
      total += load(t, kLoad, getShared(t, 4 * j));
    store(t, kGlobalStore, getParam(params, 1) + block, total);
  }
}

TEST(Schedule, SameResultsForEverySeedAndHostThreads) {
  constexpr uint32_t kBlocks = 13;
  std::vector<uint32_t> in(96 * kBlocks), expected(kBlocks, 0);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = uint32_t(i * 2654435761u);
    expected[i / 96] += in[i];
  }
  for (unsigned hostThreads : {1u, 2u, 5u}) {
    for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
      std::vector<uint32_t> out(kBlocks, 0);
      TestLaunch launch(kBlocks);
      launch.add(in, false);
      launch.add(out, true);
      Options options;
      options.seed = seed;
      options.hostThreads = hostThreads;
      Outcome outcome = run(makeKernel(sum, 96, 512), launch, options);
      ASSERT_EQ(summarize(outcome), "");
      EXPECT_TRUE(outcome.isClean());
      EXPECT_EQ(out, expected);
      EXPECT_EQ(outcome.barriers, 6u * kBlocks);
      EXPECT_EQ(outcome.counters[kGlobalLoad].threads, 96u * kBlocks);
    }
  }
}

/// Returns the order in which the threads of a block reach an atomic.
static std::vector<uint32_t> getOrder(uint64_t seed) {
  std::vector<uint32_t> order(129, 0);
  TestLaunch launch(1);
  launch.add(order, true);
  Options options;
  options.seed = seed;
  Outcome outcome =
      run(makeKernel(
              [](Thread *t, void **params) {
                auto *order = getParam(params, 0);
                uint32_t position = addAtomic(t, kAtomicAdd, order + 128, 1);
                store(t, kGlobalStore, order + position, getThread(t));
              },
              128, 0),
          launch, options);
  EXPECT_EQ(summarize(outcome), "");
  order.pop_back();
  return order;
}

TEST(Schedule, SameSeedSameRun) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed)
    EXPECT_EQ(getOrder(seed), getOrder(seed));
}

TEST(Schedule, SeedZeroIsInOrder) {
  std::vector<uint32_t> order = getOrder(0);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.begin() + 32));
}

TEST(Schedule, SeedsDiffer) {
  for (uint64_t seed = 1; seed < kNumSeeds; ++seed) {
    std::vector<uint32_t> order = getOrder(seed);
    EXPECT_NE(order, getOrder(seed + 1));
    std::sort(order.begin(), order.end());
    for (uint32_t i = 0; i < 128; ++i)
      EXPECT_EQ(order[i], i);
  }
}

/// A lock that every thread takes: the holder must get its turn.
TEST(Schedule, LocksMakeProgress) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    std::vector<uint32_t> words(2, 0);
    TestLaunch launch(1);
    launch.add(words, true);
    Kernel kernel = makeKernel(
        [](Thread *t, void **params) {
          auto *lock = getParam(params, 0);
          while (true) {
            tile_emulator_access(t, kAtomicAdd, lock);
            uint32_t old = __atomic_exchange_n(lock, 1, __ATOMIC_SEQ_CST);
            tile_emulator_access_done(t, kAtomicAdd, lock);
            if (!old)
              break;
          }
          uint32_t value = load(t, kGlobalLoad, lock + 1);
          tile_emulator_yield(t);
          store(t, kGlobalStore, lock + 1, value + 1);
          storeAtomic(t, kReleaseStore, lock, 0);
        },
        96, 0);
    kernel.sites[kAtomicAdd].memory.order = MemoryOrder::Acquire;
    Options options;
    options.seed = seed;
    EXPECT_EQ(summarize(run(kernel, launch, options)), "");
    EXPECT_EQ(words[1], 96u);
  }
}

/// Each block waits for the block before it, which starts earlier.
TEST(Schedule, BlocksThatWaitAreBegunInOrder) {
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    std::vector<uint32_t> turn(1, 0);
    TestLaunch launch(9);
    launch.add(turn, true);
    Kernel kernel = makeKernel(
        [](Thread *t, void **params) {
          auto *turn = getParam(params, 0);
          uint32_t block = tile_emulator_block_index(t, 0);
          while (loadAtomic(t, kAcquireLoad, turn) != block)
            ;
          storeAtomic(t, kReleaseStore, turn, block + 1);
        },
        1, 0);
    Options options;
    options.seed = seed;
    options.hostThreads = 1;
    options.spinLimit = 1000;
    EXPECT_EQ(summarize(run(kernel, launch, options)), "");
    EXPECT_EQ(turn[0], 9u);
  }
}

/// Different seeds run the blocks in different orders if no block can wait for
/// another.
TEST(Schedule, BlocksBeginInOtherOrders) {
  unsigned numOtherOrders = 0;
  for (uint64_t seed = 1; seed < kNumSeeds; ++seed) {
    std::vector<uint32_t> order(10, 0);
    TestLaunch launch(9);
    launch.add(order, true);
    Kernel kernel = makeKernel(
        [](Thread *t, void **params) {
          auto *order = getParam(params, 0);
          uint32_t position = addAtomic(t, kAtomicAdd, order + 9, 1);
          store(t, kGlobalStore, order + position,
                tile_emulator_block_index(t, 0));
        },
        1, 0);
    for (Site &site : kernel.sites)
      if (site.memory.mode == AccessMode::Read)
        site.memory.order = MemoryOrder::Plain;
    Options options;
    options.seed = seed;
    options.hostThreads = 1;
    EXPECT_EQ(summarize(run(kernel, launch, options)), "");
    numOtherOrders += !std::is_sorted(order.begin(), order.begin() + 9);
  }
  EXPECT_GT(numOtherOrders, 0u);
}

TEST(Schedule, IndicesOfThreeDimensions) {
  std::vector<uint32_t> seen(2 * 3 * 2 * 4 * 3 * 5, 0);
  TestLaunch launch(1);
  launch.grid = {2, 3, 2};
  launch.add(seen, true);
  Kernel kernel = makeKernel(
      [](Thread *t, void **params) {
        uint32_t index = 0;
        for (uint32_t d : {2u, 1u, 0u})
          index = index * tile_emulator_grid_size(t, d) +
                  tile_emulator_block_index(t, d);
        for (uint32_t d : {2u, 1u, 0u})
          index = index * tile_emulator_block_size(t, d) +
                  tile_emulator_thread_index(t, d);
        store(t, kGlobalStore, getParam(params, 0) + index,
              1 + tile_emulator_warp(t) * 32 + tile_emulator_lane(t));
      },
      1, 0);
  kernel.block = {4, 3, 5};
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Options options;
    options.seed = seed;
    EXPECT_EQ(summarize(run(kernel, launch, options)), "");
    for (size_t i = 0; i < seen.size(); ++i)
      EXPECT_EQ(seen[i], 1 + i % 60);
  }
}
