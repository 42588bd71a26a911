// Shadow.cpp - who touched each byte of memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shadow.h"

#include <cstdlib>
#include <new>

using namespace tile::emulator;

/// Accesses of a granule from which on those that only many blocks, or many
/// atomics, make are left out (Granule::isEnough). Beyond it a race may be told
/// of fewer accesses, never of a wrong one.
constexpr uint32_t kManyRecords = 64;

//===----------------------------------------------------------------------===//
// Granules
//===----------------------------------------------------------------------===//

/// Whether the two are atomic with each other: then they do not race.
static bool areAtomic(const Record &a, const Record &b) {
  if (!a.isAtomic || !b.isAtomic)
    return false;
  return a.block == b.block || !(a.isBlockScope || b.isBlockScope);
}

/// Whether all that races later with `earlier`, which is ordered before
/// `access` if `isOrdered`, races with `access` too.
static bool takesPlace(const Record &access, const Record &earlier,
                       bool isOrdered) {
  if (!isOrdered || (earlier.isWrite && !access.isWrite))
    return false;
  return !access.isAtomic || (earlier.isAtomic && !access.isBlockScope);
}

static bool isSame(const Record &a, const Record &b) {
  return a.tick == b.tick && a.agent == b.agent && a.block == b.block &&
         a.site == b.site && a.isWrite == b.isWrite && a.isAtomic == b.isAtomic;
}

void Granule::touch(const Record &access, const Clock &clock,
                    RaceHandler &handler) {
  uint32_t kept = 0;
  Record *same = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    Record record = records[i];
    if (record.bytes & access.bytes) {
      bool isOrdered = clock.knows(record.block, record.agent, record.tick);
      bool isConflict = record.isWrite || access.isWrite;
      if (isConflict && !isOrdered && !areAtomic(record, access)) {
        handler.onRace(record, access);
        isOrdered = true; // told once
      }
      if (takesPlace(access, record, isOrdered))
        record.bytes &= ~access.bytes;
    }
    if (!record.bytes)
      continue;
    if (isSame(record, access))
      same = records + kept;
    records[kept++] = record;
  }
  count = kept;
  if (access.isWrite)
    written |= access.bytes;
  if (same)
    same->bytes |= access.bytes;
  else if (!isEnough(access))
    append(access);
}

/// Whether the list can do without `access`:
/// - a read of bytes that two other blocks read: a write races with one of
///   these, whichever block it is of, or else is ordered after both by atomics;
/// - an atomic on bytes that many atomics are kept of.
bool Granule::isEnough(const Record &access) const {
  if (count < kManyRecords || (access.isWrite && !access.isAtomic))
    return false;
  uint32_t similar = 0, firstBlock = access.block, otherBlocks = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Record &record = records[i];
    if (access.bytes & ~record.bytes)
      continue;
    if (record.isWrite == access.isWrite && record.isAtomic && access.isAtomic)
      ++similar;
    if (record.isWrite || record.isAtomic || record.block == access.block ||
        record.block == firstBlock)
      continue;
    if (++otherBlocks == 1)
      firstBlock = record.block;
  }
  return similar >= kManyRecords || (!access.isWrite && otherBlocks >= 2);
}

void Granule::append(const Record &access) {
  if (count == capacity) {
    uint32_t more = capacity ? 2 * capacity : 4;
    void *memory = std::realloc(records, more * sizeof(Record));
    if (!memory)
      std::abort(); // as operator new without exceptions
    records = static_cast<Record *>(memory);
    capacity = more;
  }
  records[count++] = access;
}

void Granule::destroy() { std::free(records); }

//===----------------------------------------------------------------------===//
// Shadow
//===----------------------------------------------------------------------===//

Shadow::Shadow(uint64_t bytes)
    : count((bytes + kGranuleBytes - 1) / kGranuleBytes) {
  // Zeros, and pages that nobody touches cost nothing.
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
