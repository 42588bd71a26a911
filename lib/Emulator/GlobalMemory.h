// GlobalMemory.h - the arrays of a launch, and what atomics hand over
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_GLOBALMEMORY_H
#define TILE_EMULATOR_GLOBALMEMORY_H

#include "Shadow.h"
#include "tile/Emulator/Machine.h"

#include <mutex>
#include <unordered_map>

namespace tile::emulator {

/// An array of the launch, with its shadow.
class GlobalArray {
public:
  explicit GlobalArray(const Array &array);

  const Array &getArray() const { return array; }
  uint64_t getBegin() const { return begin; }
  uint64_t getEnd() const { return begin + array.bytes; }

  /// Whether all of `bytes` bytes from `address` on are elements.
  /// @pre getBegin() <= address.
  bool contains(uint64_t address, uint64_t bytes) const;

  /// Whether anything about its accesses needs to be remembered.
  bool hasShadow() const { return array.isWritable || !array.isInitialized; }
  /// The granule of an address in the array.
  Granule &getGranule(uint64_t address) {
    return shadow[(address - alignedBegin) / kGranuleBytes];
  }

private:
  void findRows();

  const Array &array;
  uint64_t begin, alignedBegin;
  /// Layout of elements in rows with gaps: rows of `rowBytes` bytes, whose
  /// positions are sums of multiples of `steps`, the greatest first.
  struct Step {
    uint64_t stride, extent;
  };
  std::vector<Step> steps;
  uint64_t rowBytes;
  Shadow shadow;
};

/// The arrays, by address. May be used by several host threads.
class GlobalMemory {
public:
  explicit GlobalMemory(const std::vector<Array> &arrays);

  /// The array that has all of `bytes` bytes from `address` on; null if none
  /// does.
  GlobalArray *find(uint64_t address, uint64_t bytes);
  /// How many of `bytes` bytes are before a row of an array that has the
  /// others; zero if none has. Memory is allocated in aligned granules of 16
  /// bytes, so that a copy of one may take them along with elements.
  uint32_t countBefore(uint64_t address, uint64_t bytes);
  /// The array that has the byte at an address, else the nearest one: for
  /// messages. Null if there is none.
  const GlobalArray *findNearest(uint64_t address) const;

private:
  std::vector<GlobalArray> arrays;
};

/// Knowledge that threads that wrote an atomic with release have handed over to
/// those that acquire it. May be used by several host threads. Global memory
/// has one; shared memory one a block, for the next block has the same
/// addresses.
class Handovers {
public:
  /// The knowledge handed over at `address` to threads of all blocks, or only
  /// to those of `block`.
  SnapshotPtr take(uint64_t address, uint32_t block);

  /// Hands `snapshot` over; the earlier one stays too if `keepsOld`.
  void give(uint64_t address, uint32_t block, bool isBlockScope,
            const SnapshotPtr &snapshot, bool keepsOld);

  /// Forgets everything that was handed over.
  void clear();

private:
  struct Slot {
    SnapshotPtr forAll;
    std::unordered_map<uint32_t, SnapshotPtr> forBlock;
  };
  std::atomic<bool> isUsed{false};
  std::mutex mutex;
  std::unordered_map<uint64_t, Slot> slots;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_GLOBALMEMORY_H
