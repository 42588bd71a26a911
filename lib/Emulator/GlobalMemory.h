// GlobalMemory.h - the arrays of a launch, and knowledge that atomics hand over
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

  /// Whether all of the `bytes` bytes from `address` on belong to elements.
  /// @pre getBegin() <= address.
  bool contains(uint64_t address, uint64_t bytes) const;

  /// Whether the accesses to the array must be recorded.
  bool hasShadow() const { return array.isWritable || !array.isInitialized; }
  /// Returns the granule of an address in the array.
  Granule &getGranule(uint64_t address) {
    return shadow[(address - alignedBegin) / kGranuleBytes];
  }

private:
  void findRows();

  const Array &array;
  uint64_t begin, alignedBegin;
  /// The elements are in rows of `rowBytes` bytes, between which may be gaps. A
  /// row starts at a sum of multiples of the strides in `steps`, which are in
  /// descending order.
  struct Step {
    uint64_t stride, extent;
  };
  std::vector<Step> steps;
  uint64_t rowBytes;
  Shadow shadow;
};

/// The arrays of a launch, by address. May be used by several host threads.
class GlobalMemory {
public:
  explicit GlobalMemory(const std::vector<Array> &arrays);

  /// Returns the array that contains all of the `bytes` bytes from `address`
  /// on; null if none does.
  GlobalArray *find(uint64_t address, uint64_t bytes);
  /// Returns how many of the `bytes` bytes from `address` on are before an
  /// array's row, if all others are in the row; otherwise 0. Memory is
  /// allocated in aligned granules of 16 bytes, so that a copy of a whole
  /// granule may include bytes before a row.
  uint32_t countBefore(uint64_t address, uint64_t bytes);
  /// Returns the array that contains the byte at `address` or, if there is
  /// none, the nearest array, for messages. Null if there are no arrays.
  const GlobalArray *findNearest(uint64_t address) const;

private:
  std::vector<GlobalArray> arrays;
};

/// Knowledge that threads hand over by atomic writes with release to threads
/// that acquire it. May be used by several host threads. There is one object
/// for global memory and one for the shared memory of each block, since the
/// next block uses the same shared addresses.
class Handovers {
public:
  /// Returns the knowledge that was handed over at `address` to the threads of
  /// `block`, including knowledge for all blocks.
  SnapshotPtr take(uint64_t address, uint32_t block);

  /// Hands `snapshot` over at `address`, to the threads of all blocks or, if
  /// `isBlockScope`, only of `block`. Adds it to earlier knowledge at this
  /// address if `keepsOld`, else replaces that.
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
