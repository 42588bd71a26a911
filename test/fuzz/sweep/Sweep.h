// Sweep.h - runs the compiler on many small inputs, each in its own process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_FUZZ_SWEEP_SWEEP_H
#define TILE_TEST_FUZZ_SWEEP_SWEEP_H

#include "Isolated.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>
#include <vector>

namespace tile::fuzz {

/// Limits of the cases of a sweep, and counts of how they ended.
class Sweep {
public:
  Sweep(std::string keep, Limits limits);

  /// Runs a case called `name`. If it does not end correctly, keeps `input` as
  /// KEEP/NAME.mlir after a comment with `command`, which runs it.
  Outcome run(llvm::StringRef name, llvm::StringRef command,
              llvm::StringRef input,
              llvm::function_ref<bool(llvm::raw_ostream &)> work);

  /// Prints how many cases ended how; returns whether all ended correctly.
  bool finish() const;

  const mlir::DialectRegistry &getDialects() const { return dialects; }

private:
  mlir::DialectRegistry dialects;
  std::string keep;
  Limits limits;
  std::map<Ending, size_t> endings;
  double slowest = 0;
};

/// Runs a case for every triple of a program, a level and a pass: each of
/// `passes` on `program` as it is and after each of `steps`, which make the
/// levels one after another. It must be possible to parse each result.
void sweepPasses(Sweep &sweep, llvm::StringRef name, llvm::StringRef program,
                 llvm::StringRef arch, llvm::ArrayRef<std::string> steps,
                 llvm::ArrayRef<std::string> passes);

/// Compiles `count` damaged copies of `program` to PTX and report, for each of
/// `archs`.
void sweepDamagedText(Sweep &sweep, llvm::StringRef name,
                      llvm::StringRef program,
                      llvm::ArrayRef<std::string> archs, unsigned seed,
                      unsigned count);

} // namespace tile::fuzz

#endif // TILE_TEST_FUZZ_SWEEP_SWEEP_H
