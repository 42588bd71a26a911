// Npy.h - NumPy's .npy files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads .npy files of format versions 1, 2 and 3 and writes version 1.
// Everything but an array of plain little-endian values is refused with the
// reason: pickled objects, structured types, big-endian data, text, a header
// that NumPy would not write, a size that does not match the shape.

#ifndef TILE_RUNTIME_NPY_H
#define TILE_RUNTIME_NPY_H

#include "tile/Runtime/File.h"
#include "tile/Runtime/KernelMetadata.h"
#include "tile/Runtime/Result.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace tile::runtime {

/// The alignment of host arrays in bytes, as that of the CUDA allocator.
inline constexpr int64_t kHostAlignment = 256;

/// Memory of the host, aligned to kHostAlignment and never null.
class HostBuffer {
public:
  /// Memory of `size` >= 0 bytes, all of them `fill`.
  static Result<HostBuffer> allocate(int64_t size, unsigned char fill);
  /// Memory of `size` >= 0 bytes that is not initialised.
  static Result<HostBuffer> allocate(int64_t size);

  unsigned char *data() { return memory.get(); }
  const unsigned char *data() const { return memory.get(); }
  int64_t size() const { return numBytes; }

private:
  HostBuffer(unsigned char *memory, int64_t size)
      : memory(memory, std::free), numBytes(size) {}

  std::unique_ptr<unsigned char, void (*)(void *)> memory;
  int64_t numBytes;
};

/// Description of the data in the header of a .npy file.
struct NpyHeader {
  /// The type in NumPy's words: "<f4", "|b1".
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;

  /// Bytes of one element. @pre `descr` came from a file or `getNpyDescr`.
  int64_t elementBytes() const;
};

/// An array read from a .npy file.
struct Npy {
  NpyHeader header;
  HostBuffer data;
};

/// The strides in elements of a dense array in row-major order, or in
/// column-major order. A size of 0 counts as 1.
std::vector<int64_t> getDenseStrides(const std::vector<int64_t> &shape,
                                     bool fortranOrder);

/// `shape` as in "64x128"; "scalar" for rank 0.
std::string shapeToString(const std::vector<int64_t> &shape);

/// Returns the bytes of a dense array of `shape` whose elements have
/// `elementBytes`; nothing if a size is negative, or if the nonzero sizes times
/// `elementBytes` exceed an int64_t.
std::optional<int64_t> getDenseBytes(const std::vector<int64_t> &shape,
                                     int64_t elementBytes);

/// Reads the array in the file `path`. Allocates no more memory than the size
/// of the file.
Result<Npy> readNpy(const std::string &path);

/// The type that is written for `type`: bf16 as '<u2', fp8 as '|u1'.
const char *getNpyDescr(ElementType type);

/// Checks that a file of type `descr` may be read as `type`. This may be the
/// type of getNpyDescr, for an integer also the unsigned integer of the same
/// size, for bf16 also '|V2', and for fp8 also '|V1'. `what` is the start of
/// the message.
Status checkNpyType(const std::string &descr, ElementType type,
                    const std::string &what);

/// Writes `header` and then `size` bytes of `data` to a new version of `path`;
/// its `commit` then replaces the file.
Result<PendingFile> stageNpy(const std::string &path, const NpyHeader &header,
                             const void *data, int64_t size);

/// Writes the file `path` at once.
Status writeNpy(const std::string &path, const NpyHeader &header,
                const void *data, int64_t size);

} // namespace tile::runtime

#endif // TILE_RUNTIME_NPY_H
