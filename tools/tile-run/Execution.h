// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- Execution.h - run a kernel on one of the machines --------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_EXECUTION_H
#define TILE_TOOLS_TILERUN_EXECUTION_H

#include "Operand.h"
#include "tile/Runtime/CompilerPlugin.h"
#include "tile/Runtime/Runtime.h"

#include <optional>
#include <vector>

namespace tile::runtime {

/// How to run.
struct ExecutionOptions {
  std::optional<Grid> grid;
  /// Timed runs after the first; 0: none.
  int repeat = 0;
  /// Threads of the CPU path and of the emulator; 0: their choice.
  int threads = 0;
  /// The entry point that the emulator runs; empty: the first that the
  /// arguments allow.
  std::string entry;
  /// The schedules that the emulator tries.
  uint64_t seed = 0;
  int numSchedules = 1;
  double tolerance = 0;
  /// Count what the kernel does on the emulator.
  bool isProfiled = false;
  /// What the machine is called when it is said where a kernel ran.
  std::string machine;
  /// Do not say on stderr what was run, nor on a terminal how far it is.
  bool isQuiet = false;
  /// Say on stderr what is about to run, too.
  bool isVerbose = false;
};

/// Runs `kernel` once, and leaves its results in the operands' memory. The
/// timed runs come after that, each from the initial values of what the kernel
/// reads and writes; gives their times in microseconds.
Result<std::vector<double>> runOnCuda(const Kernel &kernel,
                                      const CudaDevice &device,
                                      std::vector<Operand> &operands,
                                      const ExecutionOptions &options);
/// The same on the emulator, without times: what it counted, if asked to.
Result<EmulationProfile> runOnEmulator(const CompiledProgram &program,
                                       const KernelMetadata &kernel,
                                       std::vector<Operand> &operands,
                                       const ExecutionOptions &options);
Result<std::vector<double>> runOnCpu(const CompiledProgram &program,
                                     const KernelMetadata &kernel,
                                     std::vector<Operand> &operands,
                                     const ExecutionOptions &options);

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_EXECUTION_H
