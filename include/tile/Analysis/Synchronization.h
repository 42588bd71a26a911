// Synchronization.h - the proof that conflicting accesses are ordered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses conflict when they may touch the same bytes and one of them
// writes. The proof shows of a kernel that between any two that conflict, on
// any path, all threads meet at a barrier, and that an asynchronous copy was
// waited for before that barrier. It reads what -tile-insert-barriers leaves
// and shares no code with it. The memory model, the abstract state and the
// reasons why it is sound are in docs/Synchronization.md.

#ifndef TILE_ANALYSIS_SYNCHRONIZATION_H
#define TILE_ANALYSIS_SYNCHRONIZATION_H

#include "tile/IR/Tile.h"

#include <string>
#include <utility>
#include <vector>

namespace tile {

/// What could not be proved, and why: an error at the later access, notes at
/// the earlier one and at each step of a path that leads from it to the later
/// one.
struct SynchronizationFinding {
  mlir::Operation *op;
  std::string message;
  std::vector<std::pair<mlir::Operation *, std::string>> notes;

  /// Emits the error with its notes.
  void emit() const;
};

/// Everything in the kernel whose order is not proved, in the order in which a
/// walk of the kernel meets it, each pair of operations once; empty when every
/// two conflicting accesses are ordered.
/// @pre every buffer has its bytes, as -tile-allocate-shared leaves it; a
/// kernel where that does not hold gets a finding.
std::vector<SynchronizationFinding> findUnorderedAccesses(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_SYNCHRONIZATION_H
