// ScheduleResults.h - what a kernel left in its arrays, and where that differs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_EXECUTION_SCHEDULERESULTS_H
#define TILE_LIB_EXECUTION_SCHEDULERESULTS_H

#include "tile/Execution/EmulatorJit.h"

namespace tile {

/// The bytes of all arrays at one time.
class ScheduleResults {
public:
  /// @p arrays are those of a kernel's arguments, then its workspaces; they
  /// stay where they are.
  explicit ScheduleResults(const std::vector<EmulatorArray> &arrays);

  void restore() const;

  /// The first array and byte that differ now. Numbers of floating point in an
  /// argument, a and b, differ if |a - b| > tolerance * max(|a|, |b|, 1).
  std::optional<std::pair<size_t, size_t>>
  findDifference(const runtime::KernelMetadata &kernel, double tolerance) const;

private:
  const std::vector<EmulatorArray> &arrays;
  std::vector<std::vector<char>> contents;
};

} // namespace tile

#endif // TILE_LIB_EXECUTION_SCHEDULERESULTS_H
