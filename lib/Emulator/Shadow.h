// Shadow.h - records the accesses to each byte of memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is seen in granules of 16 bytes. A granule has a list of the writes,
// and one of the reads, that a later access may still race with, each with the
// bytes it touched. A new access races with those in the lists that
//
//   - touch a byte that it touches,
//   - write, unless it writes itself,
//   - are not atomic together with it, nor of the same scatter, and
//   - do not happen before it (Clock.h).
//
// Then it replaces, in its bytes, those records for which any access that races
// with them later races with it as well. So the lists stay short: the last
// write of each byte, and the reads since then that nothing orders among
// themselves. A superfluous read does no harm, so reads are only sorted out
// when their list is full: a read checks only the writes, however many have
// read before.

#ifndef TILE_EMULATOR_SHADOW_H
#define TILE_EMULATOR_SHADOW_H

#include "Clock.h"

#include <atomic>
#include <cstdint>

namespace tile::emulator {

constexpr uint64_t kGranuleBytes = 16;

/// Maximum number of scatters of a kernel, and number of executions of a
/// scatter that are distinguished.
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
  /// Whether it is a read by the asynchronous proxy.
  uint32_t isAsyncProxy : 1;
  /// Id of a write by a scatter: the scatter's id times kScatterExecutions,
  /// plus that of the execution. Writes of one execution in a block do not
  /// race.
  uint32_t scatter = 0;
};

/// Handler of racing accesses; `earlier` is the one in the list.
class RaceHandler {
public:
  virtual ~RaceHandler() = default;
  virtual void onRace(const Record &earlier, const Record &access) = 0;
  /// Called if the asynchronous proxy reads a value that no proxy fence after
  /// its write makes visible to the proxy.
  virtual void onUnfenced(const Record &earlier, const Record &access) = 0;
};

/// 16 bytes of memory with their accesses. A granule of zero bytes is untouched
/// memory.
class Granule {
public:
  /// Records and checks `access` by the thread with the clock `clock`, or by
  /// the copies of that thread.
  void touch(const Record &access, const Clock &clock, RaceHandler &handler);

  /// The bytes that were written.
  uint16_t getWritten() const { return written; }
  /// Returns the number of reads in the list.
  uint32_t countReads() const { return reads.count; }

  /// Forgets all accesses; keeps its memory.
  void clear() {
    writes.count = reads.count = 0;
    written = 0;
  }
  /// Gives its memory back.
  void destroy();

  /// Locks the granule against other host threads.
  void lock() {
    while (isLocked.exchange(true, std::memory_order_acquire))
      waitUntilUnlocked();
  }
  void unlock() { isLocked.store(false, std::memory_order_release); }

private:
  /// List of records; all zeros is an empty one.
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
