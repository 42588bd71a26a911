// StageIndices.h - the stages of circular buffers that counters address
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter of a channel with S stages addresses one of S ranges of bytes. The
// synchronization proof therefore executes the operations on counters on their
// known values modulo S; a value that is not known may be any value.

#ifndef TILE_LIB_ANALYSIS_STAGEINDICES_H
#define TILE_LIB_ANALYSIS_STAGEINDICES_H

#include "tile/IR/Gpu/TileGpu.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tile {

using KnownIndex = std::optional<int64_t>;

class StageIndices {
public:
  static bool isCounter(mlir::Value value) {
    return mlir::isa<tile_gpu::CounterType>(value.getType());
  }

  /// Returns the stage that a counter addresses, if it is known.
  KnownIndex get(mlir::Value counter) const;
  void set(mlir::Value counter, KnownIndex stage);

  /// Computes the result of an operation on counters. Does nothing for other
  /// operations: the walk over the kernel sets the counters that loops and
  /// branches carry.
  void run(mlir::Operation *op);

  bool operator==(const StageIndices &other) const {
    return known == other.known;
  }

private:
  llvm::DenseMap<mlir::Value, int64_t> known;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_STAGEINDICES_H
