// Machine.h - runs compiled kernels on the host, one fiber a GPU thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine, also called the emulator, depends on neither LLVM nor MLIR: a
// kernel is a function pointer that calls the functions of Calls.h, and the
// facts of its instructions (Site.h). docs/Emulator.md describes which
// instructions are executed exactly, which errors are found, and the cost.

#ifndef TILE_EMULATOR_MACHINE_H
#define TILE_EMULATOR_MACHINE_H

#include "tile/Emulator/Calls.h"
#include "tile/Emulator/Site.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tile::emulator {

//===----------------------------------------------------------------------===//
// Input of a run
//===----------------------------------------------------------------------===//

/// Extents or coordinates along x, y, z.
using Dimensions = std::array<uint32_t, 3>;

/// Limits of a launch (CUDA C++ Programming Guide, "Technical Specifications
/// per Compute Capability"; equal from 8.0 to 9.0 except for shared memory).
struct Limits {
  uint32_t blockThreads = 1024;
  Dimensions block = {1024, 1024, 64};
  Dimensions grid = {0x7fffffff, 65535, 65535};
  /// Maximum shared memory of a block whose kernel opts in to more dynamic
  /// shared memory: 163 KiB on sm_80, 227 KiB on sm_90.
  uint32_t sharedBytes = 232448;
};

/// The compiled kernel. `params` has a pointer to the value of each parameter,
/// like kernelParams of cuLaunchKernel.
using KernelEntry = void (*)(tile_emulator_thread *, void **params);

struct Kernel {
  std::string name;
  KernelEntry entry = nullptr;
  std::vector<Site> sites;
  Dimensions block = {1, 1, 1};
  uint32_t sharedBytes = 0;
  Limits limits;
  /// Whether findings count blocks from the end of the grid, as tile.program_id
  /// does in the program.
  bool countsFromEnd = false;
};

/// Memory that the kernel may touch outside shared memory.
struct Array {
  /// Name in reports: "argument 0", or a symbol of the kernel.
  std::string name;
  /// The first byte, in host memory.
  void *base = nullptr;
  /// Bytes from base to the end of the last element.
  uint64_t bytes = 0;
  /// Extents and strides (in bytes, in any order) of the elements, for an array
  /// whose elements do not cover all of its bytes (rows of a wider array). If
  /// empty, all bytes are elements.
  std::vector<int64_t> extents, strides;
  uint32_t elementBytes = 1;
  /// Whether the kernel may write the array; if not, a write is reported. Reads
  /// of an array that is not writable cannot race, and cost less.
  bool isWritable = true;
  /// Whether the bytes of the array have values; if not, reading bytes that the
  /// kernel did not write is reported.
  bool isInitialized = true;
};

struct Launch {
  Dimensions grid = {1, 1, 1};
  /// Pointers to the values of the kernel's arguments, which are only read.
  std::vector<void *> params;
  /// The arrays. Two of them may overlap only if neither is writable.
  std::vector<Array> arrays;
};

//===----------------------------------------------------------------------===//
// Options of a run
//===----------------------------------------------------------------------===//

struct Options {
  /// Chooses the order of blocks, warps and lanes, and the time at which
  /// asynchronous copies land. With 0 the order is ascending, and copies land
  /// as late as possible. Blocks of a kernel with an atomic load, by which they
  /// may wait for each other, always start in ascending order, as on a GPU.
  /// Runs with the same seed are equal; if blocks communicate through global
  /// memory, this holds only for one host thread.
  uint64_t seed = 0;
  /// Host threads to use; 0: as many as the host has.
  unsigned hostThreads = 0;

  bool checkRaces = true;
  bool checkUninitialized = true;
  bool checkAlignment = true;
  // Bounds are always checked.

  /// Whether to count the wavefronts and sectors of Counters, which takes time.
  bool profile = false;
  /// Maximum number of different findings that are kept; others are only
  /// counted.
  unsigned maxFindings = 64;
  /// Bytes of the stack of a GPU thread. Most values of a kernel have a stack
  /// slot, for which the largest kernels take more than one MiB; pages that are
  /// not touched take no memory.
  size_t stackBytes = 4 * 1024 * 1024;
  /// Maximum number of atomics that the threads of a block may execute in a
  /// row, each thread on the same one or two addresses, while the block makes
  /// no other progress. Above it, the threads are reported to wait for ever.
  uint64_t spinLimit = 20'000'000;
  /// Receives the text of printf, in one call for each line or part of a line,
  /// never in two calls at a time. If empty, the text goes to stdout.
  std::function<void(std::string_view)> print;
  /// Receives the number of blocks that have ended, and the number of all
  /// blocks. Only one call is made at a time. If empty, nothing is reported.
  std::function<void(uint64_t ended, uint64_t all)> progress;
  /// Returns whether the run must end, which is then a finding. It is called
  /// now and then on the thread that calls `run`. If empty, the run goes on.
  std::function<bool()> mustStop;
  /// Address of a byte of an array: Outcome::lastWriter is the site of the last
  /// write to it. If null, no byte is watched.
  const void *watched = nullptr;
};

//===----------------------------------------------------------------------===//
// Results of a run
//===----------------------------------------------------------------------===//

enum class FindingKind : uint8_t {
  Race,             ///< two accesses, one a write, that nothing orders
  OutOfBounds,      ///< outside of all arrays, or of shared memory
  ReadOnly,         ///< a write to an array that is not writable
  Misaligned,       ///< an address that the instruction does not take
  Uninitialized,    ///< a read of bytes that nobody wrote
  CopyInFlight,     ///< a thread that returns before its copies are done
  UnorderedMma,     ///< a warpgroup's MMA without its fence or its wait
  UnfencedProxy,    ///< an MMA that reads a write without a proxy fence
  DivergentMma,     ///< warps of a warpgroup that execute different MMAs
  DivergentBarrier, ///< threads that do not arrive at one barrier
  LyingMask,        ///< a lane that a mask names but that does not take part
  Deadlock,         ///< threads that wait for ever for another reason
  Assertion,        ///< __assertfail
  Trap,             ///< trap
  Stopped,          ///< Options::mustStop
  Unsupported,      ///< an operand that the machine, or the GPU, does not take
  ZeroDivisor       ///< a quotient or a remainder by zero that is used
};

/// A lowercase name: "race", "out of bounds".
std::string_view getName(FindingKind kind);

/// A thread in the grid; Kernel::countsFromEnd states how its block is counted.
struct ThreadId {
  Dimensions block = {0, 0, 0};
  Dimensions thread = {0, 0, 0};
  uint32_t warp = 0, lane = 0;
};

constexpr uint32_t kNoSite = ~0u;

/// A thread and its instruction: one side of a finding.
struct Party {
  ThreadId thread;
  /// Index into Kernel::sites; kNoSite if the thread has returned.
  uint32_t site = kNoSite;
  /// Whether the access is made by an asynchronous copy, which `thread` issued
  /// at `site`.
  bool isAsync = false;
  /// The access to memory, if there was one.
  AccessMode mode = AccessMode::Read;
};

struct Finding {
  FindingKind kind = FindingKind::Race;
  Party party;
  /// Whether there is a second party, whose access or arrival was before that
  /// of the first.
  bool hasOther = false;
  Party other;

  /// The accessed memory, for findings about memory. `array` is "shared memory"
  /// or Array::name, and empty if the address is in no array; `offset` is in
  /// bytes from the base of the array.
  uint64_t address = 0;
  uint32_t bytes = 0;
  std::string array;
  int64_t offset = 0;

  /// Description of the error, in one sentence without the location: the
  /// missing order, the exceeded bound, the threads that were expected.
  std::string message;
  /// How often this error happened between these sites.
  uint64_t count = 1;

  /// The whole report, lines without a final newline. The first is
  /// "LOCATION: error: KIND: MESSAGE", with the operation's location.
  std::string text;
};

/// Counts of one site, over all warps of all blocks.
struct Counters {
  /// Executions by threads.
  uint64_t threads = 0;
  /// Executions by warps: an execution by only some lanes of a warp counts as
  /// one. Instructions that each lane executes by itself (all except
  /// collectives, barriers and matrix instructions) are counted only with
  /// Options::profile; they count several times for accesses of more than 16
  /// bytes per lane.
  uint64_t warps = 0;
  // With Options::profile:
  /// Passes over the banks of shared memory, and the least that the accesses
  /// need.
  uint64_t wavefronts = 0, minimalWavefronts = 0;
  /// Sectors of 32 bytes of global memory; a request counts each of its sectors
  /// once.
  uint64_t sectors = 0;
};

struct Outcome {
  /// Why nothing was run: "expected a grid of at least 1, got 0 along x".
  /// Empty otherwise.
  std::string refusal;
  /// The findings in the order of their blocks, and within a block in the order
  /// in which they were found.
  std::vector<Finding> findings;
  /// Findings beyond Options::maxFindings.
  uint64_t droppedFindings = 0;
  /// Whether every block reached its end.
  bool isComplete = false;
  /// Counters, indexed by site.
  std::vector<Counters> counters;
  /// Barriers that completed, over all blocks.
  uint64_t barriers = 0;
  /// The site of the last write to the byte Options::watched; kNoSite if there
  /// is none.
  uint32_t lastWriter = kNoSite;

  /// Whether the run reached its end without a finding.
  bool isClean() const {
    return refusal.empty() && isComplete && findings.empty();
  }
};

/// Runs all blocks of the grid and returns. May be called from several threads
/// at once.
Outcome run(const Kernel &kernel, const Launch &launch,
            const Options &options = {});

} // namespace tile::emulator

#endif // TILE_EMULATOR_MACHINE_H
