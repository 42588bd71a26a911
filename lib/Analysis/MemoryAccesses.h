// MemoryAccesses.h - the bytes that an operation reads and writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How operations access memory, as -tile-verify-synchronization assumes it. An
// access is made by all threads of the block, in any order among them, and
// touches any bytes of its region.

#ifndef TILE_LIB_ANALYSIS_MEMORYACCESSES_H
#define TILE_LIB_ANALYSIS_MEMORYACCESSES_H

#include "StageIndices.h"

#include <limits>
#include <string>

namespace tile {

/// The memory that an access may touch: bytes of the block's shared memory, a
/// whole array in global memory, or the registers of a value.
struct MemoryRegion {
  bool isShared;
  /// The kernel argument that is the array; null if it may be any array.
  /// Arguments do not overlap (the kernel ABI).
  mlir::Value array = {};
  /// Range of bytes in shared memory, `end` excluded; `end` is kAll if the
  /// bytes are not known.
  static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  int64_t begin = 0, end = kAll;
  /// Whether each element has bytes of its own.
  bool isInjective = true;
  /// The accumulator or token of a matmul in flight; null for memory.
  mlir::Value value = {};

  bool isExact() const { return end != kAll; }
  bool overlaps(const MemoryRegion &other) const;
  std::string print() const;
};

/// Performer of an access. Threads access memory at the position of the
/// operation; an asynchronous copy or matmul accesses it at any time until its
/// group was waited for.
enum class AccessMaker { kThreads, kCopy, kMatmul };

struct MemoryAccess {
  mlir::Operation *op;
  MemoryRegion region;
  bool isWrite;
  AccessMaker maker;

  bool isAsync() const { return maker != AccessMaker::kThreads; }
};

/// Appends the accesses of an operation, without those of operations inside it.
void readAccesses(mlir::Operation *op, const StageIndices &indices,
                  llvm::SmallVectorImpl<MemoryAccess> &accesses);

/// Explains why the synchronization proof cannot treat an operation: it is not
/// known to the proof, or it allocates a buffer without an offset. Empty if it
/// can.
std::string findUnknown(mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_ANALYSIS_MEMORYACCESSES_H
