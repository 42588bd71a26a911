// SharedMemory.h - the shared memory of the blocks that one host thread runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_SHAREDMEMORY_H
#define TILE_EMULATOR_SHAREDMEMORY_H

#include "Shadow.h"

namespace tile::emulator {

/// Byte of shared memory before it is written: NaN in every float type.
constexpr unsigned char kPoison = 0xff;

/// An arena below 4 GiB, of one block after the other.
class SharedMemory {
public:
  explicit SharedMemory(uint32_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  /// False if the system has no such address.
  explicit operator bool() const { return base != 0; }

  /// A multiple of 1024.
  uint64_t getBase() const { return base; }
  uint32_t getBytes() const { return bytes; }

  /// Whether an address is meant to be in shared memory: within it, or in the
  /// pages around it that nothing else has.
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

  /// Makes it a new block's: poisoned, and nobody touched it.
  void clear();

private:
  uint64_t base = 0, mappedBase = 0, mappedBytes = 0;
  uint32_t bytes;
  Shadow shadow;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_SHAREDMEMORY_H
