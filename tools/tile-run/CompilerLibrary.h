// CompilerLibrary.h - loads the compiler's library, if it is installed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-run does not contain the compiler. An installed compiler is the shared
// library libTileCompiler.so.0 (tile-c/Compiler.h), which is opened only if
// FILE, the argument of tile-run, is a tile program.

#ifndef TILE_TOOLS_TILERUN_COMPILERLIBRARY_H
#define TILE_TOOLS_TILERUN_COMPILERLIBRARY_H

#include "tile/Runtime/Arguments.h"
#include "tile/Runtime/KernelMetadata.h"
#include "tile/Runtime/Result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

struct CompilerFunctions;
struct CompilerResult;

/// The machine on which a tile program runs. CpuDecomposed is Cpu with
/// composite operations replaced by their decompositions; programs without
/// composite operations do not compile for it.
enum class Machine { Cpu, CpuDecomposed, Cuda, Emulator };

/// Returns "cpu", "cpu-decomposed", "cuda" or "emulator".
const char *getMachineName(Machine machine);

/// Options of the emulator, in addition to those of the launch.
struct EmulationOptions {
  /// The number of schedules, and the seed of the first; the next schedules
  /// have the seeds seed + 1, seed + 2, ...
  uint64_t seed = 0;
  int numSchedules = 1;
  /// Floating-point results a and b of two schedules may differ by at most
  /// `tolerance` times max(|a|, |b|, 1).
  double tolerance = 0;
  /// Host threads; 0: chosen by the emulator.
  int threads = 0;
  /// Whether to count the kernel's actions.
  bool isProfiled = false;
  /// Seconds after which a run that has not ended is an error; 0: never.
  double timeout = 0;
  /// Called with the number of blocks that have ended and the number of all
  /// blocks, both summed over the schedules. Calls do not overlap. May be
  /// empty.
  std::function<void(int64_t ended, int64_t all)> progress;
};

/// The counters of a run; empty if they were not requested.
struct EmulationProfile {
  std::string text;
  std::string json;
};

/// A tile program compiled for one machine.
class CompiledProgram {
public:
  const ModuleMetadata &getMetadata() const;
  /// The code for a GPU; empty for the other machines.
  std::string_view getBinary() const;

  /// Runs all blocks of `kernel` on the CPU and returns when they are done, or
  /// at once if `plan` has an empty grid. The arrays are in host memory. A run
  /// that takes longer than `timeout` seconds is an error, unless `timeout` is
  /// 0.
  /// @pre The program is compiled for the CPU, `kernel` is in getMetadata(),
  /// and `plan` is the result of planLaunch for these arguments.
  Status runOnCpu(const KernelMetadata &kernel,
                  const std::vector<KernelArgument> &arguments,
                  const LaunchPlan &plan, int threads, double timeout) const;

  /// Runs all blocks of `kernel`'s entry point `plan.entry` on the emulator, or
  /// returns at once if `plan` has an empty grid. Each schedule starts from the
  /// given contents of the arrays, which are in host memory; afterwards they
  /// hold the results of the last schedule. An error describes an invalid
  /// action of the kernel, or names two schedules with different results.
  /// @pre The program is compiled for the emulator; `kernel` and `plan` are as
  /// for runOnCpu.
  Result<EmulationProfile>
  runOnEmulator(const KernelMetadata &kernel,
                const std::vector<KernelArgument> &arguments,
                const LaunchPlan &plan, const EmulationOptions &options) const;

private:
  friend class CompilerLibrary;

  std::shared_ptr<const CompilerResult> result;
};

/// The compiler.
class CompilerLibrary {
public:
  /// Opens libTileCompiler.so.0 in the first of `folders` that has one, else
  /// the one that the dynamic loader finds. An unusable file is an error that
  /// ends the search.
  static Result<CompilerLibrary> find(const std::vector<std::string> &folders);

  /// Returns the path of the opened file.
  const std::string &getPath() const;

  /// Compiles `program`, the text or bytecode in the file `path`, for
  /// `machine`. If `kernel` is empty, all kernels are compiled. If `arch` is
  /// empty, the architecture is the one that the program names.
  Result<CompiledProgram> compile(std::string_view program,
                                  const std::string &path,
                                  const std::string &kernel, Machine machine,
                                  const std::string &arch = "") const;

private:
  std::shared_ptr<const CompilerFunctions> functions;
};

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_COMPILERLIBRARY_H
