// SlotIndices.h - the integers that choose the slot of a ring
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slot of a ring is a counter that a loop carries. Executed on constants, a
// counter modulo S takes S values, and each names bytes. So the proof runs the
// few operations that such counters are made of, on what is known of them, and
// nothing else: a value that is not known stands for any.

#ifndef TILE_LIB_ANALYSIS_SLOTINDICES_H
#define TILE_LIB_ANALYSIS_SLOTINDICES_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tile {

using KnownIndex = std::optional<int64_t>;

class SlotIndices {
public:
  /// Finds the values that offsets into shared memory are computed from.
  explicit SlotIndices(KernelOp kernel);

  /// Whether an offset into shared memory depends on the value.
  bool isTracked(mlir::Value value) const { return tracked.contains(value); }

  /// What is known of the value, a constant or what was set last.
  KnownIndex get(mlir::OpFoldResult value) const;
  void set(mlir::Value value, KnownIndex known);

  /// Runs an operation of one result; others are ignored, as what they return
  /// is set by the walk over them or not known.
  void run(mlir::Operation *op);

private:
  void track(mlir::Value value);

  llvm::DenseSet<mlir::Value> tracked;
  llvm::DenseMap<mlir::Value, int64_t> known;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_SLOTINDICES_H
