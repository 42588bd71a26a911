// SharedMemory.cpp - the shared memory of the blocks that one host thread runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMemory.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tile::emulator;

/// Size of the reserved address ranges before and after the memory. An access
/// to these is reported as out of bounds of shared memory.
constexpr uint64_t kMargin = 1 << 20;

/// Maps `size` bytes below 4 GiB; returns null if there is no room.
static char *mapLow(uint64_t size) {
#ifdef MAP_32BIT
  void *mapped = mmap(nullptr, size, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<char *>(mapped);
#else
  for (uint64_t at = 1 << 28; at + size < uint64_t(1) << 32; at += kMargin) {
    void *mapped = mmap(reinterpret_cast<void *>(at), size, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == reinterpret_cast<void *>(at))
      return static_cast<char *>(mapped);
    if (mapped != MAP_FAILED)
      munmap(mapped, size);
  }
  return nullptr;
#endif
}

SharedMemory::SharedMemory(uint32_t bytes) : bytes(bytes), shadow(bytes) {
  uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t used = (bytes + page - 1) / page * page;
  mappedBytes = used + 2 * kMargin;
  char *mapped = mapLow(mappedBytes);
  if (!mapped)
    return;
  if (used && mprotect(mapped + kMargin, used, PROT_READ | PROT_WRITE)) {
    munmap(mapped, mappedBytes);
    return;
  }
  mappedBase = reinterpret_cast<uint64_t>(mapped);
  base = mappedBase + kMargin; // pages are multiples of 1024
}

SharedMemory::~SharedMemory() {
  if (base)
    munmap(reinterpret_cast<void *>(mappedBase), mappedBytes);
}

void SharedMemory::clear() {
  std::memset(reinterpret_cast<void *>(base), kPoison, bytes);
  shadow.clear();
}
