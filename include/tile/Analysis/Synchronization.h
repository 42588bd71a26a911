// Synchronization.h - the proof that conflicting accesses are ordered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses conflict when they may touch the same bytes and one of them
// writes. The proof shows for a kernel that on any path between two conflicting
// accesses all threads meet at a barrier, and that an asynchronous copy was
// waited for before that barrier. It reads the output of -tile-insert-barriers
// and shares no code with that pass. The memory model, the abstract state and
// the reasons why it is sound are in docs/Synchronization.md.

#ifndef TILE_ANALYSIS_SYNCHRONIZATION_H
#define TILE_ANALYSIS_SYNCHRONIZATION_H

#include "tile/IR/Tile.h"

#include <string>
#include <utility>
#include <vector>

namespace tile {

/// An order that could not be proved, with the reason: an error at the later
/// access, notes at the earlier one and at each step of a path that leads from
/// it to the later one.
struct SynchronizationFinding {
  mlir::Operation *op;
  std::string message;
  std::vector<std::pair<mlir::Operation *, std::string>> notes;

  /// Emits the error with its notes.
  void emit() const;
};

/// Returns all accesses of the kernel whose order is not proved, in the order
/// of a walk of the kernel, each pair of operations once. The list is empty if
/// every two conflicting accesses are ordered.
/// @pre every buffer has its bytes, as assigned by -tile-allocate-shared; a
/// kernel for which that does not hold gets a finding.
std::vector<SynchronizationFinding> findUnorderedAccesses(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_SYNCHRONIZATION_H
