// StageIndices.h - the integers that choose the stage of a circular buffer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of a stage of a circular buffer is a counter that a loop carries. A
// counter modulo S has S values, each of which identifies a range of bytes. The
// synchronization proof therefore executes the few operations that compute such
// counters on their known values; a value that is not known may be any value.

#ifndef TILE_LIB_ANALYSIS_STAGEINDICES_H
#define TILE_LIB_ANALYSIS_STAGEINDICES_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tile {

using KnownIndex = std::optional<int64_t>;

class StageIndices {
public:
  /// Finds the values that offsets into shared memory are computed from.
  explicit StageIndices(KernelOp kernel);

  /// Whether an offset into shared memory depends on the value.
  bool isTracked(mlir::Value value) const { return tracked.contains(value); }

  /// Returns the known value: a constant, or the value that was set last.
  KnownIndex get(mlir::OpFoldResult value) const;
  void set(mlir::Value value, KnownIndex known);

  /// Computes the result of an operation from known operands. Does nothing for
  /// an operation with several results: the walk over the kernel sets them, or
  /// they are not known.
  void run(mlir::Operation *op);

private:
  void track(mlir::Value value);

  llvm::DenseSet<mlir::Value> tracked;
  llvm::DenseMap<mlir::Value, int64_t> known;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_STAGEINDICES_H
