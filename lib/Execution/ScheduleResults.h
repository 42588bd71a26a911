// ScheduleResults.h - results of a kernel, and their differences
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
  size_t array; ///< index of the array among those of the kernel
  size_t byte;
  /// The coordinates of the element to which the byte belongs; empty if the
  /// array has no dimensions.
  std::vector<int64_t> element;
  /// Both values, if the element type is a floating-point type.
  std::optional<std::pair<double, double>> values;
  /// The least tolerance at which all arrays match; nothing if no tolerance
  /// suffices.
  std::optional<double> tolerance;

  /// Returns a text such as "[1, 0] of argument 0 ('x'), 1.5 and 1.25".
  std::string describe(const std::string &name) const;
};

/// A copy of the bytes of all arrays at one time.
class ScheduleResults {
public:
  /// @p arrays are those of a kernel's arguments, then its workspaces; their
  /// memory must not move.
  explicit ScheduleResults(const std::vector<EmulatorArray> &arrays);

  void restore() const;

  /// Returns the first difference between this copy and the present contents of
  /// the arrays; nothing if they match. Floating-point values a and b in an
  /// argument differ if |a - b| > tolerance * max(|a|, |b|, 1).
  std::optional<ScheduleDifference>
  findDifference(const runtime::KernelMetadata &kernel, double tolerance) const;

private:
  const std::vector<EmulatorArray> &arrays;
  std::vector<std::vector<char>> contents;
};

} // namespace tile

#endif // TILE_LIB_EXECUTION_SCHEDULERESULTS_H
