// HandleTable.cpp - objects by id, looked up by threads without a lock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HandleTable.h"

#include <cstdlib>

using namespace tile::capi;

HandleTable::~HandleTable() {
  for (std::atomic<HandleSlot *> &chunk : chunks)
    delete[] chunk.load(std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// Returns the slot of an id, which may contain another object or none; null if
/// there is no such slot.
HandleSlot *HandleTable::findSlot(uint64_t id) const {
  // Chunk c has the slots whose index plus 64 has its highest bit at 6 + c.
  uint32_t sum = (uint32_t(id) >> kKindBits) + (1u << kFirstBits);
  unsigned highest = 31 - __builtin_clz(sum);
  if (highest - kFirstBits >= kNumChunks)
    return nullptr;
  HandleSlot *chunk =
      chunks[highest - kFirstBits].load(std::memory_order_acquire);
  return chunk ? &chunk[sum - (1u << highest)] : nullptr;
}

/// @pre the mutex is locked, and no slot is free.
void HandleTable::addChunk() {
  // All slots contain objects that exist. The slots take 16 GiB, so that a
  // process usually runs out of memory before.
  if (numChunks == kNumChunks)
    std::abort();
  uint32_t size = 1u << (kFirstBits + numChunks);
  auto *slots = new HandleSlot[size];
  for (uint32_t i = size; i-- > 0;) {
    slots[i].index = size - (1u << kFirstBits) + i;
    freeSlots.push_back(&slots[i]);
  }
  chunks[numChunks++].store(slots, std::memory_order_release);
}

/// @pre the mutex is locked.
HandleSlot &HandleTable::takeFreeSlot() {
  if (freeSlots.empty())
    addChunk();
  HandleSlot &slot = *freeSlots.back();
  freeSlots.pop_back();
  return slot;
}

/// Removes the object from a slot whose word is `word`. If another user has
/// entered the slot, the word differs; that user then removes the object.
void HandleTable::empty(HandleSlot &slot, uint64_t word) {
  if (!slot.word.compare_exchange_strong(word, word & ~kFull,
                                         std::memory_order_acq_rel))
    return;
  // The object is destroyed after the mutex has been unlocked.
  std::shared_ptr<void> object = std::move(slot.object);
  if (getGeneration(word) == lastGeneration)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  freeSlots.push_back(&slot);
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

uint64_t HandleTable::add(unsigned kind, std::shared_ptr<void> object) {
  std::lock_guard<std::mutex> lock(mutex);
  HandleSlot &slot = takeFreeSlot();
  slot.object = std::move(object);
  // Only the number of users changes in a free slot.
  uint64_t word = slot.word.load(std::memory_order_relaxed) & ~kUsers;
  uint32_t generation = getGeneration(word) + 1;
  slot.word.fetch_add(getLivingWord(generation, kind) - word,
                      std::memory_order_acq_rel);
  return uint64_t(generation) << kGenerationShift |
         uint64_t(slot.index) << kKindBits | kind;
}

bool HandleTable::isKnown(uint64_t id) const {
  HandleSlot *slot = findSlot(id);
  uint32_t generation = getGeneration(id);
  return slot && generation != 0 &&
         generation <=
             getGeneration(slot->word.load(std::memory_order_acquire));
}

bool HandleTable::remove(uint64_t id, unsigned kind) {
  HandleSlot *slot = findSlot(id);
  if (!slot || getKind(id) != kind)
    return false;
  bool isLiving =
      (comeTo(*slot) & ~kAlone) == getLivingWord(getGeneration(id), kind);
  // If several threads remove the object, exactly one of them finds it alive.
  bool isRemoved =
      isLiving &&
      slot->word.fetch_and(~kAlive, std::memory_order_acq_rel) & kAlive;
  leave(*slot);
  return isRemoved;
}

//===----------------------------------------------------------------------===//
// Users
//===----------------------------------------------------------------------===//

HandleSlot *HandleTable::enter(uint64_t id, unsigned kind) {
  HandleSlot *slot = findSlot(id);
  if (!slot || getKind(id) != kind)
    return nullptr;
  uint64_t living = getLivingWord(getGeneration(id), kind);
  for (;;) {
    uint64_t word = comeTo(*slot);
    if (word == living)
      return slot;
    leave(*slot);
    if (word != (living | kAlone))
      return nullptr;
    waitForMany(*slot);
  }
}

HandleSlot *HandleTable::enterAlone(uint64_t id, unsigned kind) {
  while (HandleSlot *slot = enter(id, kind)) {
    uint64_t word = slot->word.fetch_or(kAlone, std::memory_order_acq_rel);
    if (word & kAlone) {
      // Another caller was faster, and waits for this one to leave.
      leave(*slot);
      continue;
    }
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [slot] {
      return (slot->word.load(std::memory_order_acquire) & kUsers) == 1;
    });
    return slot;
  }
  return nullptr;
}

void HandleTable::leaveAlone(HandleSlot &slot) {
  uint64_t word = takeOff(slot, kAlone + 1);
  wakeWaiting();
  settle(slot, word);
}

void HandleTable::settleUnusual(HandleSlot &slot, uint64_t word) {
  if (word & kAlone)
    wakeWaiting();
  if ((word & (kAlive | kFull | kUsers)) == kFull)
    empty(slot, word);
}

/// Waits while a thread uses the slot exclusively.
void HandleTable::waitForMany(HandleSlot &slot) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&slot] {
    return !(slot.word.load(std::memory_order_acquire) & kAlone);
  });
}

/// Notifies the waiting threads. They check their condition with the mutex
/// locked, so that none misses a change between its check and its wait.
void HandleTable::wakeWaiting() {
  std::lock_guard<std::mutex> lock(mutex);
  changed.notify_all();
}
