// HandleTableTest.cpp - tests objects by id, in one thread and in several
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common/HandleTable.h"

#include "gtest/gtest.h"

#include <set>
#include <thread>

using namespace tile::capi;

static constexpr unsigned kKind = 3;
/// XOR of kKind and the second kind of objects.
static constexpr unsigned kOtherKind = 7;
/// Difference between ids of one slot in successive generations.
static constexpr uint64_t kGeneration = uint64_t(1) << 32;

/// Returns the object with id `id` and kind `kind`, or null if there is none.
static std::shared_ptr<void> find(HandleTable &table, uint64_t id,
                                  unsigned kind = kKind) {
  HandleSlot *slot = table.enter(id, kind);
  if (!slot)
    return nullptr;
  std::shared_ptr<void> object = slot->object;
  table.leave(*slot);
  return object;
}

TEST(HandleTable, HasObjectsById) {
  HandleTable table;
  std::vector<std::pair<uint64_t, std::shared_ptr<void>>> added;
  // More objects than fit in three chunks of the table.
  for (int i = 0; i < 1000; ++i) {
    auto object = std::make_shared<int>(i);
    added.emplace_back(table.add(kKind, object), object);
  }
  for (const auto &[id, object] : added) {
    EXPECT_TRUE(table.isKnown(id));
    EXPECT_EQ(find(table, id), object);
    EXPECT_EQ(find(table, id, kKind + 1), nullptr);
  }
}

TEST(HandleTable, RefusesIdsThatWereNotGivenOut) {
  HandleTable table;
  EXPECT_FALSE(table.isKnown(0));
  uint64_t id = table.add(kKind, std::make_shared<int>());
  uint64_t nextSlot = id + (1 << HandleTable::kKindBits);
  for (uint64_t forged :
       {uint64_t(0), ~uint64_t(0), uint64_t(kKind), id + 1, id + kGeneration,
        id - kGeneration, nextSlot, id | 0xfffffff0, id | 0x7ffffff0}) {
    EXPECT_EQ(find(table, forged), nullptr) << forged;
    EXPECT_EQ(table.enterAlone(forged, kKind), nullptr) << forged;
    EXPECT_FALSE(table.remove(forged, kKind)) << forged;
    if (forged != id + 1) {
      EXPECT_FALSE(table.isKnown(forged)) << forged;
    }
  }
  // An id is not valid with the kind of another object.
  EXPECT_EQ(find(table, id + 1, kKind + 1), nullptr);
  EXPECT_FALSE(table.remove(id + 1, kKind + 1));
  EXPECT_NE(find(table, id), nullptr);
}

TEST(HandleTable, GivesNoIdOutTwice) {
  HandleTable table;
  std::set<uint64_t> ids;
  std::set<uint32_t> slots;
  for (int i = 0; i < 1000; ++i) {
    uint64_t id = table.add(kKind, std::make_shared<int>(i));
    ids.insert(id);
    slots.insert(uint32_t(id));
    EXPECT_TRUE(table.remove(id, kKind));
    EXPECT_TRUE(table.isKnown(id));
    EXPECT_EQ(find(table, id), nullptr);
    EXPECT_FALSE(table.remove(id, kKind));
  }
  EXPECT_EQ(ids.size(), 1000u);
  // Objects that exist one at a time need only one slot.
  EXPECT_EQ(slots.size(), 1u);
}

TEST(HandleTable, RetiresSlotsWithoutGenerations) {
  HandleTable table(/*lastGeneration=*/2);
  std::set<uint64_t> ids;
  std::set<uint32_t> slots;
  for (int i = 0; i < 1000; ++i) {
    uint64_t id = table.add(kKind, std::make_shared<int>(i));
    ids.insert(id);
    slots.insert(uint32_t(id));
    EXPECT_TRUE(table.remove(id, kKind));
  }
  EXPECT_EQ(ids.size(), 1000u);
  EXPECT_EQ(slots.size(), 500u);
  EXPECT_EQ(find(table, *ids.begin()), nullptr);
}

TEST(HandleTable, KeepsAnObjectUntilItsLastUserLeaves) {
  HandleTable table;
  auto object = std::make_shared<int>(7);
  std::weak_ptr<int> watched = object;
  uint64_t id = table.add(kKind, std::move(object));
  HandleSlot *first = table.enter(id, kKind);
  HandleSlot *second = table.enter(id, kKind);
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(table.remove(id, kKind));
  EXPECT_EQ(find(table, id), nullptr);
  table.leave(*first);
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(*static_cast<int *>(second->object.get()), 7);
  // The object's slot is not reused while it has a user.
  uint64_t other = table.add(kKind, std::make_shared<int>(8));
  EXPECT_NE(uint32_t(other), uint32_t(id));
  table.leave(*second);
  EXPECT_TRUE(watched.expired());

  HandleSlot *alone = table.enterAlone(other, kKind);
  ASSERT_TRUE(alone);
  EXPECT_TRUE(table.remove(other, kKind));
  EXPECT_EQ(*static_cast<int *>(alone->object.get()), 8);
  table.leaveAlone(*alone);
  EXPECT_EQ(find(table, other), nullptr);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Runs `work` on `count` threads and passes each its index.
template <typename Work>
static void runThreads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(HandleTable, HasOneAloneOrSeveral) {
  struct Pair {
    int first = 0, second = 0;
  };
  HandleTable table;
  auto pair = std::make_shared<Pair>();
  uint64_t id = table.add(kKind, pair);
  runThreads(6, [&](int thread) {
    for (int i = 0; i < 2000; ++i) {
      bool isAlone = thread % 3 == 0;
      HandleSlot *slot =
          isAlone ? table.enterAlone(id, kKind) : table.enter(id, kKind);
      ASSERT_TRUE(slot);
      auto &found = *static_cast<Pair *>(slot->object.get());
      int first = isAlone ? ++found.first : found.first;
      // Gives other threads the opportunity to enter the object.
      std::this_thread::yield();
      EXPECT_EQ(first, isAlone ? ++found.second : found.second);
      isAlone ? table.leaveAlone(*slot) : table.leave(*slot);
    }
  });
  EXPECT_EQ(pair->second, 4000);
}

namespace {
/// An object with its kind. `count` is the number of living objects.
struct Counted {
  explicit Counted(unsigned kind) : kind(kind) { ++count; }
  ~Counted() {
    kind = 0;
    --count;
  }

  unsigned kind;
  static std::atomic<int> count;
};
std::atomic<int> Counted::count = 0;

/// A table and ids of its objects, which threads add and remove.
struct Market {
  Market() {
    for (size_t i = 0; i < kSize; ++i)
      ids[i] = add(i % 2 ? kKind : kKind ^ kOtherKind);
  }

  uint64_t add(unsigned kind) {
    return table.add(kind, std::make_shared<Counted>(kind));
  }
  /// Enters and leaves an object if it exists, exclusively if `isAlone`.
  void use(uint64_t id, unsigned kind, bool isAlone) {
    HandleSlot *slot =
        isAlone ? table.enterAlone(id, kind) : table.enter(id, kind);
    if (!slot)
      return;
    EXPECT_EQ(static_cast<Counted *>(slot->object.get())->kind, kind);
    isAlone ? table.leaveAlone(*slot) : table.leave(*slot);
  }
  void remove(uint64_t id) { table.remove(id, HandleTable::getKind(id)); }

  static constexpr size_t kSize = 4;
  HandleTable table{/*lastGeneration=*/50};
  std::array<std::atomic<uint64_t>, kSize> ids;
};
} // namespace

TEST(HandleTable, ServesThreadsAtOnce) {
  Market market;
  runThreads(6, [&](int thread) {
    for (int i = 0; i < 4000; ++i) {
      std::atomic<uint64_t> &entry = market.ids[(i + thread) % 4];
      uint64_t id = entry;
      unsigned kind = HandleTable::getKind(id);
      market.use(id, kind, /*isAlone=*/i % 64 == 0);
      // Forged ids of the previous and next generation, and of another kind.
      market.use(id - kGeneration, kind, false);
      market.use(id + kGeneration, kind, false);
      market.use(id ^ kOtherKind, kind ^ kOtherKind, false);
      if (thread < 3)
        market.remove(entry.exchange(market.add(kind ^ kOtherKind)));
      else
        market.remove(id);
    }
  });
  for (std::atomic<uint64_t> &id : market.ids)
    market.remove(id);
  EXPECT_EQ(Counted::count, 0);
}
