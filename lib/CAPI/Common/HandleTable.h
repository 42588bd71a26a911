// HandleTable.h - objects by id, looked up by many threads without a lock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An id holds the index of a slot, the slot's generation, and the object's
// kind. A slot serves one object after the other, each in a generation of its
// own, so that no id is given out twice and memory grows only with the objects
// that exist at a time. Slots are never moved or freed: any id, made up or not,
// is looked up in memory that exists.
//
// The whole state of a slot is in one atomic word: its generation, the kind of
// its object, and
//
//   alive    the id may be looked up;
//   full     the slot holds an object;
//   alone    the object has, or waits to have, one exclusive user;
//   users    how many threads are at the slot.
//
// Invariants:
//
// - A slot is free (neither alive nor full), then alive and full, then full,
//   and free again. The generation rises as it leaves the first state.
// - A thread that looks up an id first adds itself to the users. The word
//   before that tells whether the id is the slot's, and a thread that is
//   refused removes itself: a slot in any state may have users for a moment.
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

/// Slot of the table, in a cache line of its own.
struct alignas(64) HandleSlot {
  std::atomic<uint64_t> word = 0;
  std::shared_ptr<void> object;
  /// The index of the slot in the table.
  uint32_t index = 0;
};

class HandleTable {
public:
  static constexpr unsigned kKindBits = 4;

  /// A slot is reused until its generation is `lastGeneration`.
  explicit HandleTable(uint32_t lastGeneration = UINT32_MAX)
      : lastGeneration(lastGeneration) {}
  HandleTable(const HandleTable &) = delete;
  HandleTable &operator=(const HandleTable &) = delete;
  /// @pre no thread is in a call.
  ~HandleTable();

  /// Returns the kind in an id, which need not be one that was given out.
  static unsigned getKind(uint64_t id) { return id & ((1u << kKindBits) - 1); }

  /// Returns an id for `object`, never null. @pre `kind` has kKindBits.
  uint64_t add(unsigned kind, std::shared_ptr<void> object);

  /// Whether `id` was given out, for an object of any kind.
  bool isKnown(uint64_t id) const;

  /// Returns the slot of a living object, which exists until the caller leaves
  /// the slot; null if there is none. Waits while another user has the slot
  /// exclusively.
  HandleSlot *enter(uint64_t id, unsigned kind);

  /// Enters the slot as the exclusive user: waits for the users that have
  /// entered it, and makes others wait. @pre the caller has not entered it.
  HandleSlot *enterAlone(uint64_t id, unsigned kind);

  void leave(HandleSlot &slot) { settle(slot, takeOff(slot, 1)); }
  void leaveAlone(HandleSlot &slot);

  /// Removes an object, also while a user has it exclusively. Returns false if
  /// the id is not that of a living object. The object is destroyed when its
  /// last user leaves it.
  bool remove(uint64_t id, unsigned kind);

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

  static uint32_t getGeneration(uint64_t idOrWord) {
    return idOrWord >> kGenerationShift;
  }
  /// Returns the word of a living object without users.
  static uint64_t getLivingWord(uint32_t generation, unsigned kind) {
    return uint64_t(generation) << kGenerationShift |
           uint64_t(kind) << kKindShift | kAlive | kFull;
  }
  /// Adds a user. Returns the word before that, without the number of users.
  static uint64_t comeTo(HandleSlot &slot) {
    return slot.word.fetch_add(1, std::memory_order_acquire) & ~kUsers;
  }
  /// Removes a user, and `kAlone` if that is set in `what`. Returns the word
  /// after that.
  static uint64_t takeOff(HandleSlot &slot, uint64_t what) {
    return slot.word.fetch_sub(what, std::memory_order_acq_rel) - what;
  }

  HandleSlot *findSlot(uint64_t id) const;
  HandleSlot &takeFreeSlot();
  void addChunk();
  /// Completes the slot's state after a user has left it with `word`.
  void settle(HandleSlot &slot, uint64_t word) {
    if ((word & (kAlive | kAlone)) != kAlive)
      settleUnusual(slot, word);
  }
  void settleUnusual(HandleSlot &slot, uint64_t word);
  void empty(HandleSlot &slot, uint64_t word);
  void waitForMany(HandleSlot &slot);
  void wakeWaiting();

  const uint32_t lastGeneration;
  /// Read without a lock; null for chunks that do not exist yet.
  std::array<std::atomic<HandleSlot *>, kNumChunks> chunks = {};

  /// Guards the following members.
  std::mutex mutex;
  /// Signals that a slot has fewer users, or no exclusive user.
  std::condition_variable changed;
  std::vector<HandleSlot *> freeSlots;
  unsigned numChunks = 0;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMMON_HANDLETABLE_H
