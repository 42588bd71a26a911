// CpuCalls.h - functions that code of the CPU path calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled blocks print and end through functions of this process, which know
// the block that the calling thread runs.

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

/// Orders the updates of the blocks of a grid: each block makes the same
/// sequence of updates, and the n-th update is made by one block after the
/// other.
class CpuTurns {
public:
  /// Waits until `count` blocks have made their update `update`; false if the
  /// run has ended before.
  bool wait(size_t update, int64_t count, RunControl &control);
  /// Counts one more block that has made its update `update`.
  void finish(size_t update);
  /// Ends all waiting.
  void end();

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int64_t> counts; ///< blocks that have made each update
  bool isEnded = false;
};

/// Block of a grid.
struct CpuBlock {
  std::array<int64_t, 3> index;
  int64_t position; ///< how many blocks are started before it
  CpuTurns &turns;
  RunControl &control;
};

/// Runs one block in this thread. If an assertion fails, or the run ends while
/// the block loops or waits, the block ends there, and its buffers are not
/// freed. The result names the assertion or loop, and is empty otherwise.
std::string runCpuBlock(void (*function)(void **), void **parameters,
                        const CpuBlock &block);

} // namespace tile

#endif // TILE_LIB_EXECUTION_CPUCALLS_H
