// ScheduleResults.h - what a kernel left in its arrays, and where that differs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_EXECUTION_SCHEDULERESULTS_H
#define TILE_LIB_EXECUTION_SCHEDULERESULTS_H

#include "tile/Execution/EmulatorJit.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tile {

/// The first byte that differs between two schedules.
struct ScheduleDifference {
  size_t array; ///< of those of the kernel
  size_t byte;
  /// The element that the byte is of, a place along each dimension; empty where
  /// the array has none.
  std::vector<int64_t> element;
  /// Both numbers, if it is of floating point.
  std::optional<std::pair<double, double>> numbers;
  /// The least tolerance with which all arrays are equal; none where there is
  /// none.
  std::optional<double> tolerance;

  /// "[1, 0] of argument 0 ('x'), 1.5 and 1.25".
  std::string describe(const std::string &name) const;
};

/// The bytes of all arrays at one time.
class ScheduleResults {
public:
  /// @p arrays are those of a kernel's arguments, then its workspaces; they
  /// stay where they are.
  explicit ScheduleResults(const std::vector<EmulatorArray> &arrays);

  void restore() const;

  /// What differs now. Numbers of floating point in an argument, a and b,
  /// differ if |a - b| > tolerance * max(|a|, |b|, 1).
  std::optional<ScheduleDifference>
  findDifference(const runtime::KernelMetadata &kernel, double tolerance) const;

private:
  const std::vector<EmulatorArray> &arrays;
  std::vector<std::vector<char>> contents;
};

} // namespace tile

#endif // TILE_LIB_EXECUTION_SCHEDULERESULTS_H
