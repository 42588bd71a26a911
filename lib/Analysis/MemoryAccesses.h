// MemoryAccesses.h - which bytes an operation reads and writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reading of operations that -tile-verify-synchronization rests on. An
// access is by all threads of the block, in any order among them, and touches
// any of its region's bytes.

#ifndef TILE_LIB_ANALYSIS_MEMORYACCESSES_H
#define TILE_LIB_ANALYSIS_MEMORYACCESSES_H

#include "SlotIndices.h"

#include <limits>
#include <string>

namespace tile {

/// Bytes of the block's shared memory, an array in global memory, all of it, or
/// the registers of a value.
struct MemoryRegion {
  bool isShared;
  /// The kernel argument that an array is; null for any array. Arguments do not
  /// overlap (the kernel ABI).
  mlir::Value array = {};
  /// Of shared memory, `end` excluded; kAll where they are not known.
  static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  int64_t begin = 0, end = kAll;
  /// Whether it is in its ring.
  bool isInside = true;
  /// Whether each element has bytes of its own.
  bool isInjective = true;
  /// What a product in flight makes; null for memory.
  mlir::Value value = {};

  bool isExact() const { return end != kAll; }
  bool overlaps(const MemoryRegion &other) const;
  std::string print() const;
};

/// What makes an access: the threads themselves, where the operation stands; or
/// an asynchronous copy, or a product, at any time until its group was waited
/// for.
enum class AccessMaker { kThreads, kCopy, kProduct };

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

/// Why an operation breaks what the proof assumes of kernels, or of the buffer
/// that it allocates; empty if it does not.
std::string findUnknown(mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_ANALYSIS_MEMORYACCESSES_H
