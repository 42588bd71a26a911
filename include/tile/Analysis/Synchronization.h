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

/// An order of two accesses that could not be proved, and the reason. Emitted
/// as an error at the later access, with notes at the earlier access and at
/// each step of a path from the earlier one to the later one.
struct SynchronizationFinding {
  mlir::Operation *op;
  std::string message;
  std::vector<std::pair<mlir::Operation *, std::string>> notes;

  /// Emits the error with its notes.
  void emit() const;
};

/// Emits all findings. Fails if there is any.
mlir::LogicalResult
emitFindings(llvm::ArrayRef<SynchronizationFinding> findings);

/// Returns all accesses of the kernel whose order is not proved, in the order
/// of a walk of the kernel, each pair of operations once. The list is empty if
/// every two conflicting accesses are ordered. A buffer without an offset in
/// shared memory is also a finding.
/// @pre -tile-allocate-shared has run.
std::vector<SynchronizationFinding> findUnorderedAccesses(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_SYNCHRONIZATION_H
