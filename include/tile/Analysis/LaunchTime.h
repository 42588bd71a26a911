// LaunchTime.h - the estimated time of a launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model of a kernel whose blocks run a loop with copies and a matmul. It is
// for the comparison of plans of one kernel (tile extents, instruction, warps,
// stages), in cycles. test/unit/Analysis/LaunchTimeTest.cpp ranks measured
// plans by it.

#ifndef TILE_ANALYSIS_LAUNCHTIME_H
#define TILE_ANALYSIS_LAUNCHTIME_H

#include "tile/Analysis/Machine.h"

namespace tile {

/// The use that a block's loop makes of its multiprocessor.
struct LoopResources {
  int64_t steps = 0;
  /// Cycles of the tensor cores, and bytes copied to shared memory, of a step.
  double mmaCycles = 0, copiedBytes = 0;
  /// Stages of the buffers. With two, the copies of a step start when the
  /// matmul before it has ended.
  int64_t stages = 2;
  /// Bytes that the block stores after the loop.
  double storedBytes = 0;
};

/// The use that a launch makes of the GPU.
struct LaunchResources {
  LoopResources loop;
  int64_t blocks = 0;
  /// Blocks that a multiprocessor runs at a time (Occupancy.h).
  int64_t blocksPerProcessor = 1;
  /// Bytes that the launch must move from and to global memory.
  double memoryBytes = 0;
};

/// Returns the cycles of the tensor cores of a multiprocessor for the multiply-
/// adds of a matmul, by instructions of a warp or of a warpgroup.
/// @pre the machine has a rate for the unit, and loop costs.
double getMmaCycles(const Machine &machine, llvm::StringRef unit,
                    double multiplyAdds, bool byWarp);

/// Returns the estimated time of a launch in cycles of a multiprocessor.
/// @pre the machine has loop costs.
double estimateCycles(const Machine &machine, const LaunchResources &launch);

} // namespace tile

#endif // TILE_ANALYSIS_LAUNCHTIME_H
