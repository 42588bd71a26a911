// Workers.h - runs trials in child processes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler crash ends its process, and a compiler that does not terminate has
// to be killed. So trials run in child processes; when one dies, its current
// trial is a finding and the next child continues with the trial after it.

#ifndef TILE_TOOLS_TILEFUZZ_WORKERS_H
#define TILE_TOOLS_TILEFUZZ_WORKERS_H

#include "Derivatives.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tile::fuzz {

/// The result of a trial, as plain data that is sent through a pipe.
struct TrialResult {
  bool isRun = true; ///< false if the trial was skipped
  bool isRight = true;
  Comparison counts;
  DerivativeResult derivatives;
};

struct WorkerOptions {
  uint64_t firstSeed = 1, count = 1;
  unsigned jobs = 1;
  /// Seconds after which no trial starts; 0 for no limit.
  double seconds = 0;
  /// Seconds after which a trial is ended and counts as failed.
  unsigned trialSeconds = 120;
};

struct Summary {
  uint64_t numRun = 0, numFailed = 0;
  Comparison counts;
  DerivativeSummary derivatives;
};

/// Runs `trial` for each seed in child processes, which take the seeds in turn.
/// Calls `crashed` in this process for each seed whose child died, with the
/// reason.
Summary runTrials(
    const WorkerOptions &options,
    const std::function<TrialResult(uint64_t seed)> &trial,
    const std::function<void(uint64_t seed, const std::string &why)> &crashed);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_WORKERS_H
