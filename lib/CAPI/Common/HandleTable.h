// HandleTable.h - objects by number, looked up by many threads without a lock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number is that of a slot, of the slot's generation, and of the object's
// kind. A slot serves one object after the other, each in a generation of its
// own, so that no number is given out twice and memory grows with the objects
// that there are at a time alone. Slots are never moved or freed: any number,
// made up or not, is looked up in memory that is there.
//
// All that is decided about a slot is in one atomic word: its generation, the
// kind of its object, and
//
//   alive    the number may be looked up;
//   full     the slot holds an object;
//   alone    the object has, or waits to have, one user alone;
//   users    how many threads are at the slot.
//
// What holds:
//
// - A slot is free (neither alive nor full), then alive and full, then full,
//   and free again. The generation rises as it leaves the first state.
// - Whoever looks a number up adds itself to the users first. The word before
//   that tells whether the number is the slot's, and whoever is refused takes
//   itself back: a slot in any state may have users for a moment.
// - The object is put in while the slot is free, by the thread that has taken
//   it from the list of free slots. It is read by users who found the slot
//   alive. It is taken out by the thread that clears `full`, which is possible
//   from a word that is neither alive nor has users. Hence a user's object
//   stays, and no user of a generation meets the object of another.
// - Each change of the word is one read-modify-write of acquire and release
//   order: the changes of a word are in one order, and each thread sees what
//   those before it had done. (Users who come need no release.)

#ifndef TILE_LIB_CAPI_COMMON_HANDLETABLE_H
#define TILE_LIB_CAPI_COMMON_HANDLETABLE_H

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tile::capi {

/// A place of the table, in a cache line of its own.
struct alignas(64) HandleSlot {
  std::atomic<uint64_t> word = 0;
  std::shared_ptr<void> object;
  /// Its position in the table.
  uint32_t index = 0;
};

class HandleTable {
public:
  static constexpr unsigned kKindBits = 4;

  /// A slot has objects up to its generation `lastGeneration`.
  explicit HandleTable(uint32_t lastGeneration = UINT32_MAX)
      : lastGeneration(lastGeneration) {}
  HandleTable(const HandleTable &) = delete;
  HandleTable &operator=(const HandleTable &) = delete;
  /// @pre no thread is in a call.
  ~HandleTable();

  /// The kind in a number, given out or not.
  static unsigned getKind(uint64_t number) {
    return number & ((1u << kKindBits) - 1);
  }

  /// A number for `object`, never null. @pre `kind` has kKindBits.
  uint64_t add(unsigned kind, std::shared_ptr<void> object);

  /// Whether `number` was given out, for an object of some kind.
  bool isKnown(uint64_t number) const;

  /// The slot of a living object, which stays until the caller leaves it; null
  /// where there is none. Waits while there is a user alone.
  HandleSlot *enter(uint64_t number, unsigned kind);

  /// The same where the caller is to be the only one to have entered: it waits
  /// for those who have, and others wait for it. @pre it has not entered it.
  HandleSlot *enterAlone(uint64_t number, unsigned kind);

  void leave(HandleSlot &slot) { settle(slot, takeOff(slot, 1)); }
  void leaveAlone(HandleSlot &slot);

  /// Gives up a number, also beside a user alone; false if it is no living one.
  /// The object goes with the last who leaves it.
  bool remove(uint64_t number, unsigned kind);

private:
  static constexpr unsigned kIndexBits = 28;
  /// The first chunk has 64 slots, and each of the others twice as many as the
  /// one before.
  static constexpr unsigned kFirstBits = 6;
  static constexpr unsigned kNumChunks = kIndexBits - kFirstBits;

  static constexpr unsigned kGenerationShift = 32;
  static constexpr unsigned kKindShift = 28;
  static constexpr uint64_t kAlive = uint64_t(1) << 27;
  static constexpr uint64_t kFull = uint64_t(1) << 26;
  static constexpr uint64_t kAlone = uint64_t(1) << 25;
  static constexpr uint64_t kUsers = kAlone - 1;

  static uint32_t getGeneration(uint64_t numberOrWord) {
    return numberOrWord >> kGenerationShift;
  }
  /// The word of a living object without users.
  static uint64_t getLivingWord(uint32_t generation, unsigned kind) {
    return uint64_t(generation) << kGenerationShift |
           uint64_t(kind) << kKindShift | kAlive | kFull;
  }
  /// Adds a user: the word before, without the number of users.
  static uint64_t comeTo(HandleSlot &slot) {
    return slot.word.fetch_add(1, std::memory_order_acquire) & ~kUsers;
  }
  /// Takes off a user, and `kAlone` if that is set in `what`: the word after.
  static uint64_t takeOff(HandleSlot &slot, uint64_t what) {
    return slot.word.fetch_sub(what, std::memory_order_acq_rel) - what;
  }

  HandleSlot *findSlot(uint64_t number) const;
  HandleSlot &takeFreeSlot();
  void addChunk();
  /// Does what is due after a user has left `word` behind.
  void settle(HandleSlot &slot, uint64_t word) {
    if ((word & (kAlive | kAlone)) != kAlive)
      settleUnusual(slot, word);
  }
  void settleUnusual(HandleSlot &slot, uint64_t word);
  void empty(HandleSlot &slot, uint64_t word);
  void waitForMany(HandleSlot &slot);
  void wakeWaiting();

  const uint32_t lastGeneration;
  /// Read without a lock; null where there is no chunk yet.
  std::array<std::atomic<HandleSlot *>, kNumChunks> chunks = {};

  /// Guards what follows.
  std::mutex mutex;
  /// That a slot has fewer users, or no user alone.
  std::condition_variable changed;
  std::vector<HandleSlot *> freeSlots;
  unsigned numChunks = 0;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMMON_HANDLETABLE_H
