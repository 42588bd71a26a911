// EmulatorJit.h - compiled kernels run without a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is compiled for the host from the same code that would go to LLVM's
// NVPTX backend. The emulator of lib/Emulator (Machine.h) runs it and checks
// its accesses.

#ifndef TILE_EXECUTION_EMULATORJIT_H
#define TILE_EXECUTION_EMULATORJIT_H

#include "tile/Conversion/NVVMToEmulator.h"
#include "tile/Emulator/Machine.h"
#include "tile/Execution/HostJit.h"
#include "tile/Runtime/KernelMetadata.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <array>
#include <functional>
#include <mutex>

namespace tile {

/// An array argument of a kernel: the memory that it may access by a pointer.
struct EmulatorArray {
  /// The first byte of the elements, in host memory; `size` is the number of
  /// bytes to the end of the last one.
  void *first = nullptr;
  size_t size = 0;
  /// The elements, for an array whose elements do not cover all of its bytes:
  /// extents, and strides in bytes of at least 0.
  std::vector<int64_t> extents, strides;
  size_t elementBytes = 1;
  /// Whether its elements have values that the kernel may read.
  bool isInitialized = true;
};

/// Input of a run of an entry point.
struct EmulatorRun {
  /// A symbol of the metadata's entry points.
  std::string entry;
  /// Pointers to the flat parameters in the order of the kernel ABI.
  void **parameters = nullptr;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// The arrays, one for each pointer among the parameters, in their order.
  std::vector<EmulatorArray> arrays;
  /// The seed of the first schedule, and the number of schedules to run.
  uint64_t seed = 0;
  int numSchedules = 1;
  /// Largest accepted difference of floating-point values a and b of two
  /// schedules, relative to max(|a|, |b|, 1).
  double tolerance = 0;
  /// Number of host threads; 0 for as many as the host has.
  int threads = 0;
  /// Whether to count the kernel's instructions (EmulatorProfile).
  bool isProfiled = false;
  /// Receives the number of blocks of all schedules that have ended, and the
  /// number of all their blocks. Only one call is made at a time. If empty,
  /// nothing is reported.
  std::function<void(uint64_t ended, uint64_t all)> progress;
  /// Returns whether the run must end, which is then a finding. It is called
  /// now and then on the calling thread. If empty, the run goes on.
  std::function<bool()> mustStop;
};

/// The counters by line of the tile program; empty if the run is not profiled.
struct EmulatorProfile {
  std::string text;
  std::string json;
};

/// The emulator's findings in the first schedule that was not clean.
struct EmulatorFindings {
  uint64_t seed = 0;
  std::vector<emulator::Finding> findings;
};

struct ScheduleDifference;

/// The kernels of a module as functions of this process. Runs may come from
/// several threads at once.
class EmulatorProgram {
public:
  /// Compiles `module`, which has tile programs, as tile::compile does
  /// (Compiler.h), for `arch` if that is not empty. An entry point is compiled
  /// for the host when it is first run. Errors of the program are reported to
  /// the module's context; the result is then an error without text of its own.
  static llvm::Expected<std::unique_ptr<EmulatorProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef arch);

  /// Takes a module that is already in the LLVM dialect. It was compiled for
  /// the architecture, and has the entry points, that `metadata` states.
  static llvm::Expected<std::unique_ptr<EmulatorProgram>>
  compileLowered(mlir::ModuleOp module, runtime::ModuleMetadata metadata);

  const runtime::ModuleMetadata &getMetadata() const { return metadata; }
  /// Returns the instructions, which findings name by their index.
  const std::vector<emulator::Site> &getSites() const { return sites; }

  /// Runs all blocks of the grid once for each schedule; each schedule starts
  /// from the arrays as they are now. Afterwards the arrays hold the results of
  /// the last schedule. The error states the emulator's findings, with their
  /// locations, or which two schedules gave different results. `findings`, if
  /// not null, receives the findings one by one.
  llvm::Expected<EmulatorProfile> run(const EmulatorRun &run,
                                      EmulatorFindings *findings = nullptr);

  /// Runs one schedule and returns its outcome. If `watched` is not null, the
  /// outcome has the site that last wrote the byte at `watched`.
  llvm::Expected<emulator::Outcome>
  runOnce(const EmulatorRun &run, uint64_t seed, const void *watched = nullptr);

private:
  EmulatorProgram() = default;

  llvm::Error addParts(mlir::ModuleOp module);
  llvm::Expected<emulator::Kernel> prepareKernel(const EmulatorRun &run);
  llvm::Expected<emulator::Launch> prepareLaunch(const EmulatorRun &run);
  llvm::Error refuseDifference(const EmulatorRun &run, uint64_t seed,
                               const ScheduleDifference &difference);
  const runtime::KernelMetadata *findKernel(llvm::StringRef entry) const;

  runtime::ModuleMetadata metadata;
  std::vector<emulator::Site> sites;
  std::vector<EmulatorGlobal> globals;
  /// Guards `jit`.
  std::mutex mutex;
  std::unique_ptr<HostJit> jit;
};

} // namespace tile

#endif // TILE_EXECUTION_EMULATORJIT_H
