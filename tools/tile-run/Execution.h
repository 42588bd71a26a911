// Execution.h - runs a kernel on one of the machines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILERUN_EXECUTION_H
#define TILE_TOOLS_TILERUN_EXECUTION_H

#include "CompilerLibrary.h"
#include "DeviceOperands.h"
#include "Operand.h"
#include "tile/Runtime/Runtime.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tile::runtime {

/// Options of a run.
struct ExecutionOptions {
  std::optional<Grid> grid;
  /// The number of timed runs after the first run; 0: none.
  int repeat = 0;
  /// The number of threads; 0: chosen by the CPU path or the emulator.
  int threads = 0;
  /// The entry point that the emulator runs; empty: the first that the
  /// arguments allow.
  std::string entry;
  /// The schedules that the emulator tries.
  uint64_t seed = 0;
  int numSchedules = 1;
  double tolerance = 0;
  /// Seconds that a run on the host may take; 0: no limit.
  double timeout = 0;
  /// Whether to count the kernel's actions on the emulator.
  bool isProfiled = false;
  /// The name of the machine in the summary of a run.
  std::string machine;
  /// Whether to print neither the summary on stderr nor progress on a terminal.
  bool isQuiet = false;
  /// Whether to describe each launch on stderr before it starts, too.
  bool isVerbose = false;
};

/// Runs `kernel` once, and leaves its results in the operands' memory. After
/// that, runs it `options.repeat` times for timing, each time from the initial
/// contents of the arrays that the kernel both reads and writes. Returns the
/// times of these runs in microseconds.
Result<std::vector<double>> runOnCuda(const Kernel &kernel,
                                      const CudaDevice &device,
                                      std::vector<Operand> &operands,
                                      const ExecutionOptions &options);
/// Runs `kernel` on the emulator, without timing. Returns the counters if
/// `options.isProfiled`.
Result<EmulationProfile> runOnEmulator(const CompiledProgram &program,
                                       const KernelMetadata &kernel,
                                       std::vector<Operand> &operands,
                                       const ExecutionOptions &options);
Result<std::vector<double>> runOnCpu(const CompiledProgram &program,
                                     const KernelMetadata &kernel,
                                     std::vector<Operand> &operands,
                                     const ExecutionOptions &options);

// The following functions are used for kernels and for host functions.

/// Times `repeat` calls of `launch`, each after the initial values of `copies`
/// are restored. Returns the times in microseconds.
Result<std::vector<double>> timeOnCuda(const CudaDevice &device,
                                       DeviceOperands &copies, int repeat,
                                       const std::function<Status()> &launch);
/// Calls `first`, and times `repeat` calls of `again`, each from the initial
/// values of the arrays. At the end the arrays have the results of `first`.
/// Returns the times in microseconds.
Result<std::vector<double>> timeOnHost(std::vector<Operand> &operands,
                                       int repeat,
                                       const std::function<Status()> &first,
                                       const std::function<Status()> &again);
/// Runs one launch on the emulator, showing its progress.
Result<EmulationProfile> emulate(const CompiledProgram &program,
                                 const KernelMetadata &kernel,
                                 const std::vector<KernelArgument> &arguments,
                                 const LaunchPlan &plan,
                                 const ExecutionOptions &options);

/// Formats a time such as "1.23 ms".
std::string formatTime(double seconds);

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_EXECUTION_H
