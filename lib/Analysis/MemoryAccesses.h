// MemoryAccesses.h - the bytes that an operation reads and writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpretation of operations that -tile-verify-synchronization rests on.
// An access is made by all threads of the block, in any order among them, and
// touches any of its region's bytes.

#ifndef TILE_LIB_ANALYSIS_MEMORYACCESSES_H
#define TILE_LIB_ANALYSIS_MEMORYACCESSES_H

#include "SlotIndices.h"

#include <limits>
#include <string>

namespace tile {

/// Bytes of the block's shared memory, a whole array in global memory, or the
/// registers of a value.
struct MemoryRegion {
  bool isShared;
  /// The kernel argument that an array is; null for any array. Arguments do not
  /// overlap (the kernel ABI).
  mlir::Value array = {};
  /// Range of bytes in shared memory, `end` excluded; kAll if they are not
  /// known.
  static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  int64_t begin = 0, end = kAll;
  /// Whether it is inside its circular buffer.
  bool isInside = true;
  /// Whether each element has bytes of its own.
  bool isInjective = true;
  /// The accumulator or token of a matmul in flight; null for memory.
  mlir::Value value = {};

  bool isExact() const { return end != kAll; }
  bool overlaps(const MemoryRegion &other) const;
  std::string print() const;
};

/// Origin of an access: the threads themselves, at the position of the
/// operation; or an asynchronous copy or a matmul, at any time until its group
/// was waited for.
enum class AccessMaker { kThreads, kCopy, kMatmul };

struct MemoryAccess {
  mlir::Operation *op;
  MemoryRegion region;
  bool isWrite;
  AccessMaker maker;

  bool isAsync() const { return maker != AccessMaker::kThreads; }
};

/// Appends the accesses of an operation, without those of operations inside it.
void readAccesses(mlir::Operation *op, const SlotIndices &indices,
                  llvm::SmallVectorImpl<MemoryAccess> &accesses);

/// Explains why an operation violates an assumption of the proof about kernels,
/// or about the buffer that it allocates; empty if it does not.
std::string findUnknown(mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_ANALYSIS_MEMORYACCESSES_H
