// HandleTable.h - objects by id, looked up by many threads without a lock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An id consists of the index of a slot, the slot's generation, and the
// object's kind. A slot contains one object after the other, each in another
// generation, so that no id is used twice, and memory grows only with the
// number of objects that exist at the same time. Slots are never moved or
// freed, so that any id, even an invalid one, is looked up in memory that
// exists.
//
// The whole state of a slot is in one atomic word: its generation, the kind of
// its object, and
//
//   alive    the id may be looked up;
//   full     the slot contains an object;
//   alone    a thread uses the object exclusively, or waits to do so;
//   users    number of threads that have entered the slot.
//
// Invariants:
//
// - A slot is first free (neither alive nor full), then alive and full, then
//   only full, and then free again. The generation is incremented when the slot
//   leaves the free state.
// - A thread that looks up an id first adds itself to the users. The previous
//   value of the word tells whether the id is that of the slot's object. If
//   not, the thread removes itself again. A slot in any state may therefore
//   have users for a moment.
// - The thread that has taken a slot from the list of free slots stores the
//   object in it while the slot is free. Users who found the slot alive read
//   the object. The thread that clears `full` removes the object; it can do so
//   only if the word is not alive and has no users. Therefore an object exists
//   as long as it has users, and no user sees the object of another generation.
// - Each change of the word is one read-modify-write with acquire and release
//   order. The changes of a word therefore have a total order, and each thread
//   sees the effects of the threads that changed the word before. (A thread
//   that adds itself to the users needs no release.)

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

/// A slot of the table, in a cache line of its own.
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

  /// Returns the kind in an id, which may be invalid.
  static unsigned getKind(uint64_t id) { return id & ((1u << kKindBits) - 1); }

  /// Returns an id for `object`, never null. @pre `kind` has kKindBits.
  uint64_t add(unsigned kind, std::shared_ptr<void> object);

  /// Whether `id` is or was the id of an object, of any kind.
  bool isKnown(uint64_t id) const;

  /// Returns the slot of the object with this id and kind; null if there is
  /// none. The object exists until the caller leaves the slot. Waits while
  /// another thread uses the slot exclusively.
  HandleSlot *enter(uint64_t id, unsigned kind);

  /// Like `enter`, for exclusive use: waits until the users that have entered
  /// the slot have left it, and makes later ones wait.
  /// @pre the caller has not entered the slot.
  HandleSlot *enterAlone(uint64_t id, unsigned kind);

  void leave(HandleSlot &slot) { settle(slot, takeOff(slot, 1)); }
  void leaveAlone(HandleSlot &slot);

  /// Removes an object, even during exclusive use. Returns false if there is no
  /// object with this id and kind. The object is destroyed when its last user
  /// leaves the slot.
  bool remove(uint64_t id, unsigned kind);

private:
  static constexpr unsigned kIndexBits = 28;
  /// The first chunk has 64 slots, and each further chunk twice as many as the
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
  /// Adds a user. Returns the previous word, without the number of users.
  static uint64_t comeTo(HandleSlot &slot) {
    return slot.word.fetch_add(1, std::memory_order_acquire) & ~kUsers;
  }
  /// Subtracts `what`, which is one user, and also `kAlone` if it is set, from
  /// the word. Returns the new word.
  static uint64_t takeOff(HandleSlot &slot, uint64_t what) {
    return slot.word.fetch_sub(what, std::memory_order_acq_rel) - what;
  }

  HandleSlot *findSlot(uint64_t id) const;
  HandleSlot &takeFreeSlot();
  void addChunk();
  /// Called after a user has left the slot, whose word was then `word`: removes
  /// the object or wakes waiting threads, if necessary.
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
