// Isolated.h - runs a function in its own process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_FUZZ_SWEEP_ISOLATED_H
#define TILE_TEST_FUZZ_SWEEP_ISOLATED_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tile::fuzz {

/// How a case ended. Only the first two are correct.
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
  unsigned megabytes = 2000; ///< in addition to the process's memory
};

struct Outcome {
  Ending ending;
  std::string messages; ///< output to the standard streams
  std::string result;   ///< output to the function's stream
  double seconds;       ///< processor time
};

/// Runs `work` in a child process within `limits`. Its return value is whether
/// it succeeded; its changes to memory are lost.
/// @pre the process has one thread.
Outcome runIsolated(llvm::function_ref<bool(llvm::raw_ostream &result)> work,
                    const Limits &limits);

} // namespace tile::fuzz

#endif // TILE_TEST_FUZZ_SWEEP_ISOLATED_H
