// Shadow.cpp - records the accesses to each byte of memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shadow.h"

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <tuple>

using namespace tile::emulator;

/// Maximum number of recorded accesses to the same bytes that are unordered but
/// do not race: atomics, and writes of one execution of a scatter.
constexpr uint32_t kMostAtomics = 16;
/// Number of recorded reads from which on superfluous ones are removed.
constexpr uint32_t kManyReads = 16;

//===----------------------------------------------------------------------===//
// Granules
//===----------------------------------------------------------------------===//

/// Whether both accesses are atomic with respect to each other, so that they do
/// not race.
static bool areAtomic(const Record &a, const Record &b) {
  if (!a.isAtomic || !b.isAtomic)
    return false;
  return a.block == b.block || !(a.isBlockScope || b.isBlockScope);
}

/// Whether both accesses are stores of one execution of a scatter. Any of the
/// stored values may remain then.
static bool areOfOneScatter(const Record &a, const Record &b) {
  return a.scatter && a.scatter == b.scatter && a.block == b.block;
}

/// Whether `access` may replace `earlier` in the list, because all later
/// accesses that race with `earlier` race with `access`, too. `isOrdered`
/// specifies that `earlier` happens before `access`. A write of a scatter only
/// replaces writes of the same scatter, and none of the previous execution.
static bool canReplace(const Record &access, const Record &earlier,
                       bool isOrdered) {
  if (!isOrdered || (earlier.isWrite && !access.isWrite))
    return false;
  if (access.scatter)
    return earlier.scatter / kScatterExecutions ==
               access.scatter / kScatterExecutions &&
           earlier.scatter + 1 != access.scatter;
  return !access.isAtomic || (earlier.isAtomic && !access.isBlockScope);
}

/// Whether the two records differ only in their bytes.
static bool isSame(const Record &a, const Record &b) {
  return a.tick == b.tick && a.agent == b.agent && a.block == b.block &&
         a.site == b.site && a.isWrite == b.isWrite && a.isAtomic == b.isAtomic;
}

void Granule::touch(const Record &access, const Clock &clock,
                    RaceHandler &handler) {
  check(writes, access, clock, handler);
  if (access.isWrite) {
    check(reads, access, clock, handler);
    rememberWrite(access);
  } else {
    rememberRead(access, clock);
  }
}

/// Reports the races of `access` with the records of a list, and removes the
/// records that it replaces from the list.
void Granule::check(List &earlier, const Record &access, const Clock &clock,
                    RaceHandler &handler) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < earlier.count; ++i) {
    Record record = earlier.records[i];
    if (record.bytes & access.bytes) {
      bool isOrdered = clock.knows(record.block, record.agent, record.tick);
      if (!isOrdered && !areAtomic(record, access) &&
          !areOfOneScatter(record, access)) {
        handler.onRace(record, access);
        isOrdered = true; // report a race only once
      } else if (access.isAsyncProxy && record.isWrite &&
                 !clock.isFenced(record.agent, record.tick)) {
        handler.onUnfenced(record, access);
      }
      if (canReplace(access, record, isOrdered))
        record.bytes &= ~access.bytes;
    }
    if (record.bytes)
      earlier.records[kept++] = record;
  }
  earlier.count = kept;
}

void Granule::rememberWrite(const Record &access) {
  written |= access.bytes;
  uint32_t similar = 0;
  auto isSimilar = [&](const Record &record) {
    return ((access.isAtomic && record.isAtomic) ||
            areOfOneScatter(record, access)) &&
           !(access.bytes & ~record.bytes);
  };
  if (access.isAtomic || access.scatter)
    for (uint32_t i = 0; i < writes.count; ++i)
      similar += isSimilar(writes.records[i]);
  if (similar < kMostAtomics)
    writes.append(access);
}

void Granule::rememberRead(const Record &access, const Clock &clock) {
  if (reads.count && isSame(reads.records[reads.count - 1], access)) {
    reads.records[reads.count - 1].bytes |= access.bytes;
    return;
  }
  if (reads.count == reads.capacity && reads.count >= kManyReads)
    sortOutReads(access, clock);
  reads.append(access);
}

/// Removes from the list
/// - reads that `access` replaces,
/// - reads of an agent that has read the same bytes later, and
/// - reads of bytes that two other blocks have read, too: a write of any block
///   races with one of these two, or atomics order it after both.
/// Afterwards at least half of the list is free, so this is called rarely.
void Granule::sortOutReads(const Record &access, const Clock &clock) {
  std::sort(reads.records, reads.records + reads.count,
            [](const Record &a, const Record &b) {
              return std::make_tuple(a.block, a.agent, a.isAtomic + 0u,
                                     b.tick) <
                     std::make_tuple(b.block, b.agent, b.isAtomic + 0u, a.tick);
            });
  uint32_t kept = 0;
  // Masks of the bytes that were read by at least one and by at least two of
  // the earlier blocks in the list, by the block of the current record, and by
  // its agent.
  uint16_t byOne = 0, byTwo = 0, byBlock = 0, byAgent = 0;
  Record last = reads.records[0];
  for (uint32_t i = 0; i < reads.count; ++i) {
    Record record = reads.records[i];
    if (last.block != record.block) {
      byTwo |= byOne & byBlock;
      byOne |= byBlock;
      byBlock = byAgent = 0;
    } else if (last.agent != record.agent || last.isAtomic != record.isAtomic) {
      byAgent = 0;
    }
    last = record;
    record.bytes &= ~byAgent;
    byAgent |= record.bytes;
    if (!record.isAtomic)
      record.bytes &= ~byTwo;
    bool isOrdered = clock.knows(record.block, record.agent, record.tick);
    if (canReplace(access, record, isOrdered))
      record.bytes &= ~access.bytes;
    if (!record.bytes)
      continue;
    if (!record.isAtomic)
      byBlock |= record.bytes;
    reads.records[kept++] = record;
  }
  reads.count = kept;
  if (2 * kept > reads.capacity)
    reads.reserve(2 * reads.capacity);
}

void Granule::List::reserve(uint32_t more) {
  void *memory = std::realloc(records, more * sizeof(Record));
  if (!memory)
    std::abort(); // as operator new without exceptions
  records = static_cast<Record *>(memory);
  capacity = more;
}

void Granule::List::append(const Record &record) {
  if (count == capacity)
    reserve(capacity ? 2 * capacity : 4);
  records[count++] = record;
}

void Granule::waitUntilUnlocked() const {
  // The lock is held for a few operations, unless the system suspends its
  // holder.
  for (int i = 0; isLocked.load(std::memory_order_relaxed); ++i)
    if (i % 256 == 255)
      std::this_thread::yield();
}

void Granule::destroy() {
  std::free(writes.records);
  std::free(reads.records);
}

//===----------------------------------------------------------------------===//
// Shadow
//===----------------------------------------------------------------------===//

Shadow::Shadow(uint64_t bytes)
    : count((bytes + kGranuleBytes - 1) / kGranuleBytes) {
  // The memory is zero at first, and pages that are not touched cost nothing.
  granules = static_cast<Granule *>(
      std::calloc(size_t(count ? count : 1), sizeof(Granule)));
  if (!granules)
    std::abort();
}

Shadow::Shadow(Shadow &&other) noexcept
    : granules(other.granules), count(other.count) {
  other.granules = nullptr;
  other.count = 0;
}

Shadow::~Shadow() {
  for (uint64_t i = 0; i < count; ++i)
    granules[i].destroy();
  std::free(granules);
}

void Shadow::clear() {
  for (uint64_t i = 0; i < count; ++i)
    granules[i].clear();
}
