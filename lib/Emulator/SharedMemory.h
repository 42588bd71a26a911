// SharedMemory.h - the shared memory of the blocks that one host thread runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_SHAREDMEMORY_H
#define TILE_EMULATOR_SHAREDMEMORY_H

#include "Shadow.h"

namespace tile::emulator {

/// Value of each byte of shared memory before it is written. The bytes of an
/// element are then a NaN in every floating-point type.
constexpr unsigned char kPoison = 0xff;

/// Memory below 4 GiB that blocks use, one after the other, as their shared
/// memory.
class SharedMemory {
public:
  explicit SharedMemory(uint32_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  /// False if the system could not provide memory below 4 GiB.
  explicit operator bool() const { return base != 0; }

  /// Returns the first address, a multiple of 1024.
  uint64_t getBase() const { return base; }
  uint32_t getBytes() const { return bytes; }

  /// Whether an access at `address` is probably meant for shared memory: the
  /// address is in it, or in the reserved ranges around it.
  bool isNear(uint64_t address) const {
    return address - mappedBase < mappedBytes;
  }
  bool contains(uint64_t address, uint64_t size) const {
    uint64_t offset = address - base;
    return offset <= bytes && size <= bytes - offset;
  }

  Granule &getGranule(uint64_t address) {
    return shadow[(address - base) / kGranuleBytes];
  }

  /// Prepares the memory for a new block: poisons all bytes and forgets all
  /// accesses.
  void clear();

private:
  uint64_t base = 0, mappedBase = 0, mappedBytes = 0;
  uint32_t bytes;
  Shadow shadow;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_SHAREDMEMORY_H
