// ShadowTest.cpp - compares a granule's records of accesses with all accesses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shadow.h"

#include <gtest/gtest.h>
#include <random>

using namespace tile::emulator;

namespace {
constexpr uint32_t kBlocks = 5, kThreads = 12;

/// Collects the bytes of reported races.
struct Told : RaceHandler {
  uint16_t bytes = 0;
  void onRace(const Record &earlier, const Record &access) override {
    bytes |= earlier.bytes & access.bytes;
  }
  void onUnfenced(const Record &, const Record &) override {}
};

/// The threads of some blocks, which access one granule.
class Threads {
public:
  explicit Threads(uint32_t seed) : random(seed) {
    auto nothing = std::make_shared<Known>();
    nothing->ticks.resize(countAgents(kThreads));
    for (uint32_t block = 0; block < kBlocks; ++block)
      for (uint32_t i = 0; i < kThreads; ++i)
        clocks[block][i].start(block, i, kThreads, nothing);
  }

  /// Synchronizes some threads of a block.
  void meet() {
    uint32_t block = below(kBlocks), first = below(kThreads);
    std::vector<Clock *> some;
    for (uint32_t i = first; i < kThreads; ++i)
      some.push_back(&clocks[block][i]);
    Clock::meet(some, nullptr);
  }

  /// Does a random access by a random thread; if `scatter` is not 0, a write is
  /// part of the execution `scatter` of a scatter.
  void touch(Granule &granule, bool isRead, bool isAtomic,
             uint32_t scatter = 0) {
    uint32_t block = below(kBlocks);
    const Clock &clock = clocks[block][below(kThreads)];
    Record record = makeRecord(block, clock);
    record.isWrite = !isRead;
    record.isAtomic = isAtomic;
    record.scatter = isRead || isAtomic ? 0 : scatter;
    granule.touch(record, clock, told);
    for (const Record &earlier : all) {
      bool isOrdered = clock.knows(earlier.block, earlier.agent, earlier.tick);
      if ((earlier.isWrite || record.isWrite) && !isOrdered &&
          !(earlier.isAtomic && record.isAtomic) &&
          !(record.scatter && earlier.scatter == record.scatter &&
            earlier.block == record.block))
        racing |= earlier.bytes & record.bytes;
    }
    all.push_back(record);
  }

  /// Reads by a random thread, without adding the read to `all`.
  void read(Granule &granule) {
    uint32_t block = below(kBlocks);
    const Clock &clock = clocks[block][below(kThreads)];
    granule.touch(makeRecord(block, clock), clock, told);
  }

  uint32_t below(uint32_t bound) { return uint32_t(random() % bound); }

  Told told;
  /// Bytes for which some pair of accesses races.
  uint16_t racing = 0;

private:
  /// Returns a read of random bytes.
  Record makeRecord(uint32_t block, const Clock &clock) {
    Record record = {};
    record.tick = clock.getTime();
    record.block = block;
    record.agent = uint16_t(clock.getThread());
    record.site = below(4);
    uint32_t size = 1u << below(5);
    record.bytes = uint16_t(((1u << size) - 1) << below(16 / size) * size);
    return record;
  }

  std::mt19937 random;
  Clock clocks[kBlocks][kThreads];
  std::vector<Record> all;
};
} // namespace

/// Checks for many reads and few writes that a byte is reported as soon as it
/// has a race.
static void compare(uint32_t numReads, uint32_t oneWriteIn, uint32_t oneMeetIn,
                    bool hasAtomics) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Shadow shadow(16);
    Threads threads(seed);
    for (uint32_t i = 0; i < numReads; ++i) {
      if (threads.below(oneMeetIn) == 0)
        threads.meet();
      bool isRead = threads.below(oneWriteIn) != 0;
      bool isAtomic = hasAtomics && threads.below(8) == 0;
      threads.touch(shadow[0], isRead, isAtomic);
      ASSERT_EQ(threads.told.bytes, threads.racing)
          << "seed " << seed << ", access " << i;
    }
  }
}

/// Tests writes of two scatters, each executed twice, among other accesses.
TEST(Shadow, Scatters) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Shadow shadow(16);
    Threads threads(seed);
    for (uint32_t i = 0; i < 14; ++i) {
      if (threads.below(4) == 0)
        threads.meet();
      uint32_t scatter =
          threads.below(4) == 0
              ? 0
              : (1 + threads.below(2)) * kScatterExecutions + i / 7;
      threads.touch(shadow[0], threads.below(6) == 0, threads.below(12) == 0,
                    scatter);
      ASSERT_EQ(threads.told.bytes, threads.racing)
          << "seed " << seed << ", access " << i;
    }
  }
}

TEST(Shadow, FewAccesses) { compare(12, 3, 4, false); }
TEST(Shadow, ManyReads) { compare(400, 200, 10, false); }
TEST(Shadow, ManyReadsOfBlocksThatMeetOften) { compare(400, 400, 2, false); }
TEST(Shadow, Atomics) { compare(60, 8, 4, true); }

/// Threads read repeatedly: at most one read of each byte and thread is
/// recorded, in a list that is at most twice as long.
TEST(Shadow, ListsStayShort) {
  Shadow shadow(16);
  Threads threads(1);
  for (uint32_t i = 0; i < 100'000; ++i) {
    if (i % 50 == 0)
      threads.meet();
    threads.read(shadow[0]);
  }
  EXPECT_LE(shadow[0].countReads(), 2 * 16 * kBlocks * kThreads);
}
