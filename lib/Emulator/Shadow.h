// Shadow.h - records the accesses to each byte of memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is divided into granules of 16 bytes. A granule has a list of writes
// and a list of reads with which a later access may still race; each record has
// a mask of the accessed bytes. A new access races with the recorded accesses
// that
//
//   - access one of its bytes,
//   - are writes, or reads if the new access is a write,
//   - are not atomic with respect to it, nor writes of the same execution of a
//     scatter, and
//   - do not happen before it (Clock.h).
//
// It then replaces, for its bytes, the records for which every later access
// that races with the record also races with it. So the lists stay short: they
// have the last write of each byte, and the reads since then that are not
// ordered with each other. A superfluous read does no harm, so reads are
// removed only when their list is full. A read checks only the writes,
// regardless of the number of recorded reads.

#ifndef TILE_EMULATOR_SHADOW_H
#define TILE_EMULATOR_SHADOW_H

#include "Clock.h"

#include <atomic>
#include <cstdint>

namespace tile::emulator {

constexpr uint64_t kGranuleBytes = 16;

/// Maximum number of scatters of a kernel, and number of executions of a
/// scatter that have different ids.
constexpr uint32_t kMostScatters = 1 << 16, kScatterExecutions = 1 << 16;

/// Access to some bytes of a granule.
struct Record {
  Tick tick = 0;
  uint32_t block = 0;
  uint16_t agent = 0;
  /// Mask of the accessed bytes: bit i is byte i.
  uint16_t bytes = 0;
  uint32_t site : 28;
  uint32_t isWrite : 1;
  uint32_t isAtomic : 1;
  /// Whether the access is atomic only for threads of its own block.
  uint32_t isBlockScope : 1;
  /// Whether the access is a read by the asynchronous proxy.
  uint32_t isAsyncProxy : 1;
  /// Id of a write by a scatter: the scatter's id times kScatterExecutions,
  /// plus the index of the execution; 0 for other accesses. Writes of one
  /// execution in a block do not race.
  uint32_t scatter = 0;
};

/// Handler of races; `earlier` is the recorded access, `access` the new one.
class RaceHandler {
public:
  virtual ~RaceHandler() = default;
  virtual void onRace(const Record &earlier, const Record &access) = 0;
  /// Called if the asynchronous proxy reads a value, and no proxy fence between
  /// the write and the read makes the value visible to the proxy.
  virtual void onUnfenced(const Record &earlier, const Record &access) = 0;
};

/// 16 bytes of memory with the records of accesses to them. A granule object
/// that consists of zeros is one without accesses.
class Granule {
public:
  /// Checks and records `access`, which is made by the thread with the clock
  /// `clock`, by its copies or by its MMAs.
  void touch(const Record &access, const Clock &clock, RaceHandler &handler);

  /// Returns the mask of the bytes that were written.
  uint16_t getWritten() const { return written; }
  /// Returns the number of recorded reads.
  uint32_t countReads() const { return reads.count; }

  /// Removes all records, but keeps the memory of the lists.
  void clear() {
    writes.count = reads.count = 0;
    written = 0;
  }
  /// Frees the memory of the lists.
  void destroy();

  /// Locks the granule against other host threads.
  void lock() {
    while (isLocked.exchange(true, std::memory_order_acquire))
      waitUntilUnlocked();
  }
  void unlock() { isLocked.store(false, std::memory_order_release); }

private:
  /// List of records; an object of zeros is an empty list.
  struct List {
    Record *records;
    uint32_t count, capacity;

    void reserve(uint32_t capacity);
    void append(const Record &record);
  };
  void waitUntilUnlocked() const;
  static void check(List &earlier, const Record &access, const Clock &clock,
                    RaceHandler &handler);
  void rememberRead(const Record &access, const Clock &clock);
  void rememberWrite(const Record &access);
  void sortOutReads(const Record &access, const Clock &clock);

  List writes, reads;
  uint16_t written;
  std::atomic<bool> isLocked;
};

/// The granules of a contiguous range of memory.
class Shadow {
public:
  explicit Shadow(uint64_t bytes);
  ~Shadow();
  Shadow(Shadow &&other) noexcept;
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;

  /// Returns the granule of the 16 bytes from byte 16 `index` on.
  Granule &operator[](uint64_t index) { return granules[index]; }
  /// Forgets all accesses.
  void clear();

private:
  Granule *granules;
  uint64_t count;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_SHADOW_H
