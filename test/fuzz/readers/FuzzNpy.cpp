// FuzzNpy.cpp - passes damaged .npy files to their reader
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Npy.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

using namespace tile::runtime;

namespace {
/// A file in memory that has a path.
class MemoryFile {
public:
  MemoryFile(const void *data, size_t size)
      : descriptor(memfd_create("npy", MFD_CLOEXEC)) {
    if (descriptor < 0 || write(descriptor, data, size) != ssize_t(size))
      std::abort();
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() { close(descriptor); }

  std::string getPath() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  int descriptor;
};
} // namespace

/// Checks that an array is as long as its header states, and ends the file.
static void check(const Npy &array, const uint8_t *file, size_t fileSize) {
  auto size = static_cast<size_t>(array.data.size());
  std::optional<int64_t> expected =
      getDenseBytes(array.header.shape, array.header.elementBytes());
  if (!expected || *expected != array.data.size() || size > fileSize ||
      std::memcmp(array.data.data(), file + fileSize - size, size) != 0)
    std::abort();
  for (int type = 0; type <= int(ElementType::ComplexF64); ++type)
    (void)checkNpyType(array.header.descr, ElementType(type), "the array");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file(data, size);
  if (Result<Npy> array = readNpy(file.getPath()))
    check(*array, data, size);
  else if (array.error().message.empty())
    std::abort();
  return 0;
}
