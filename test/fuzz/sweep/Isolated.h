// Isolated.h - a piece of work in a process of its own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_FUZZ_SWEEP_ISOLATED_H
#define TILE_TEST_FUZZ_SWEEP_ISOLATED_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tile::fuzz {

/// How a piece of work ended. Only the first two are right.
enum class Ending {
  kResult,       ///< it succeeded and reported no error
  kDiagnostic,   ///< it failed and reported an error
  kNoDiagnostic, ///< it failed without an error
  kBoth,         ///< it reported an error and succeeded all the same
  kCrash,        ///< a signal, an assertion, or LLVM's fatal error
  kTime,         ///< more processor time than allowed
  kMemory        ///< more memory than allowed
};

bool isRight(Ending ending);
llvm::StringRef getName(Ending ending);

struct Limits {
  unsigned seconds = 10;
  unsigned megabytes = 2000; ///< beyond what the process has already
};

struct Outcome {
  Ending ending;
  std::string messages; ///< what was written to the standard streams
  std::string result;   ///< what was written to the work's stream
  double seconds;       ///< processor time
};

/// Runs `work` in a child process within `limits`. Its return value says
/// whether it succeeded; what it leaves in memory is lost.
/// @pre the process has one thread.
Outcome runIsolated(llvm::function_ref<bool(llvm::raw_ostream &result)> work,
                    const Limits &limits);

} // namespace tile::fuzz

#endif // TILE_TEST_FUZZ_SWEEP_ISOLATED_H
