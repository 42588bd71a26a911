// Progress.h - shows the progress of a long run on a terminal
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILERUN_PROGRESS_H
#define TILE_TOOLS_TILERUN_PROGRESS_H

#include <chrono>
#include <cstdint>

namespace tile::runtime {

/// A progress line on standard error that is updated in place and cleared when
/// this object is destroyed. Not thread-safe.
class Progress {
public:
  /// Whether standard error is a terminal that can update a line. No progress
  /// is shown in files and pipes.
  static bool isPossible();

  Progress() = default;
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Shows the progress, if enough time has passed since the last update.
  void show(int64_t ended, int64_t all);

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  bool isShown = false;
};

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_PROGRESS_H
