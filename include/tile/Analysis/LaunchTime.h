// LaunchTime.h - the estimated time of a launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model for the comparison of plans of one kernel (tile extents, instruction,
// warps, stages), in cycles. test/python/estimates.test ranks measured plans by
// it.

#ifndef TILE_ANALYSIS_LAUNCHTIME_H
#define TILE_ANALYSIS_LAUNCHTIME_H

#include "tile/Analysis/Machine.h"

#include <vector>

namespace tile {

/// The use that operations make of a multiprocessor, for all warps of a block
/// together.
struct Resources {
  /// Cycles of the tensor cores.
  double mmaCycles = 0;
  /// Wavefronts of shared memory, 128 bytes each, in which matmuls read their
  /// operands.
  double wavefronts = 0;
  /// Instructions that warps issue.
  double slots = 0;
  /// Bytes that are copied from arrays to shared memory asynchronously, that
  /// threads load from arrays to registers, and that they store to arrays.
  double copiedBytes = 0, loadedBytes = 0, storedBytes = 0;
  /// Bytes of registers that do not fit a thread and are moved to memory and
  /// back.
  double spilledBytes = 0;
  /// Waits that follow each other: for elements of arrays, for other lanes of a
  /// warp, and for other warps of the block.
  double loads = 0, shuffles = 0, barriers = 0;

  Resources &operator+=(const Resources &other);
  Resources operator*(double factor) const;
  Resources operator/(double divisor) const;
};

/// A part of a kernel that a block runs several times: the body of a loop
/// without the loops in it, or the kernel without its loops.
struct Section {
  /// Number of times that a block runs it, on average, and the most times that
  /// a block does.
  double executions = 0, most = 0;
  /// The resources of one time.
  Resources each;
  /// Stages of the circular buffers of a loop whose copies run ahead; else 0.
  int64_t stages = 0;
};

/// The resources of a block.
struct BlockResources {
  std::vector<Section> sections;
  /// Threads of a block, registers of a thread, and bytes of shared memory.
  /// The registers are those for the tiles that are live at the same time;
  /// ptxas may use others.
  int64_t threads = 0, registers = 0, sharedBytes = 0;
};

/// The resources of a launch.
struct LaunchResources {
  BlockResources block;
  int64_t blocks = 0;
  /// Blocks that a multiprocessor runs at a time (Occupancy.h).
  int64_t blocksPerProcessor = 1;
  /// Bytes that the launch must move from and to global memory.
  double memoryBytes = 0;
};

/// Returns the resources of multiply-adds by FMA on a unit (getUnit), for each
/// of which a thread reads `elements` elements of `elementBytes` bytes from
/// shared memory. A read of 8 bytes by a warp is a wavefront, and takes the
/// issue slot of an FMA.
Resources getFmaResources(const Machine &machine, llvm::StringRef unit,
                          double multiplyAdds, double elements,
                          int64_t elementBytes);

/// Returns the cycles in which a multiprocessor with enough warps executes
/// something with these resources: those of the unit that is used most, and a
/// thousandth of the others'.
double estimateBusyCycles(const Machine &machine, const Resources &used);

/// Returns the estimated time of a launch in cycles of a multiprocessor.
double estimateCycles(const Machine &machine, const LaunchResources &launch);

} // namespace tile

#endif // TILE_ANALYSIS_LAUNCHTIME_H
