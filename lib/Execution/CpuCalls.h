// CpuCalls.h - functions that code of the CPU path calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled code calls functions of this process to print and to end a block.
// They know which block the calling thread runs.

#ifndef TILE_LIB_EXECUTION_CPUCALLS_H
#define TILE_LIB_EXECUTION_CPUCALLS_H

#include "tile/Emulator/RunControl.h"
#include "tile/Execution/HostJit.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace tile {

/// Returns the functions under the names by which the code of
/// lib/Conversion/TileToCPU calls them.
llvm::ArrayRef<HostFunction> getCpuCalls();

/// Orders the ordered updates of the blocks of a grid. Each block makes the
/// same sequence of updates, and blocks make the n-th update of the sequence
/// one after the other.
class CpuTurns {
public:
  /// Waits until `count` blocks have made their update `update`. Returns false
  /// if the run ends before.
  bool wait(size_t update, int64_t count, RunControl &control);
  /// Counts one more block that has made its update `update`.
  void finish(size_t update);
  /// Ends all waiting.
  void end();

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int64_t> counts; ///< how many blocks have made each update
  bool isEnded = false;
};

/// A block of a grid.
struct CpuBlock {
  std::array<int64_t, 3> index;
  int64_t position; ///< number of blocks that are started before it
  CpuTurns &turns;
  RunControl &control;
};

/// Runs one block in this thread. If an assertion fails, or the run ends while
/// the block loops or waits, the block ends early, and its buffers are not
/// freed. Returns a message that names the assertion or loop; empty if there is
/// none to report.
std::string runCpuBlock(void (*function)(void **), void **parameters,
                        const CpuBlock &block);

} // namespace tile

#endif // TILE_LIB_EXECUTION_CPUCALLS_H
