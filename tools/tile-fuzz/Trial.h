// Trial.h - runs one program on all machines, and compares the results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_TRIAL_H
#define TILE_TOOLS_TILEFUZZ_TRIAL_H

#include "Launch.h"

#include "tile/Execution/HostJit.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace tile::fuzz {

/// Collects the errors of a context as text.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext &context);
  std::string text;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Options of a trial.
struct TrialOptions {
  /// `cpu`, `cpu-decomposed`, or architectures of the emulator.
  std::vector<std::string> machines;
  /// Whether the emulators run a program once more, from its text after one of
  /// the passes.
  bool hasLevels = false;
  /// Whether one expected value is changed, as a test of the comparison.
  bool plantsError = false;
  /// Whether each entry point runs twice, under two schedules, and must give
  /// the same bits.
  bool repeats = false;
  /// Whether a program may need more than a machine has. A derivative needs
  /// more than its kernel, for which the sizes are drawn.
  bool mayExceedMachine = false;
};

/// Runs a program, whose kernel is called `f`.
class Trial {
public:
  Trial(mlir::MLIRContext &context, llvm::StringRef text, uint64_t seed,
        const TrialOptions &options)
      : context(context), text(text), seed(seed), options(options) {}

  /// Returns an empty string if all machines agree with the evaluation, else
  /// the reason. The arguments depend on the seed.
  std::string run(Comparison &counts);

  /// Runs the program with the given arguments.
  std::string run(KernelOp kernel, Launch &launch, Comparison &counts);

  mlir::OwningOpRef<mlir::ModuleOp> parse();

private:
  using Values = std::vector<ArgumentValue>;
  std::string runOn(llvm::StringRef machine, Launch &launch,
                    const Values &expected, Comparison &counts);
  std::string runOnCpu(mlir::ModuleOp module, HostEffort effort, Launch &launch,
                       const Values &expected, Comparison &counts);
  std::string runDecomposed(Launch &launch, const Values &expected,
                            Comparison &counts);
  std::string runOnEmulator(mlir::ModuleOp module, llvm::StringRef arch,
                            Launch &launch, const Values &expected,
                            Comparison &counts);
  std::string runFromLevel(llvm::StringRef arch, Launch &launch,
                           const Values &expected, Comparison &counts);

  mlir::MLIRContext &context;
  llvm::StringRef text;
  uint64_t seed;
  const TrialOptions &options;
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_TRIAL_H
