// Occupancy.h - number of blocks that fit on a multiprocessor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute `tile.blocks_per_processor = n` of a kernel requests that a
// multiprocessor can run n of its blocks at the same time. ptxas then gives a
// thread no more registers than that allows (PTX ISA, ".minnctapersm"), and a
// block uses no more shared memory. While a block waits, the multiprocessor
// runs another one.

#ifndef TILE_ANALYSIS_OCCUPANCY_H
#define TILE_ANALYSIS_OCCUPANCY_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// Blocks that a multiprocessor holds at a time, and the resource that limits
/// them.
struct Occupancy {
  int64_t blocks = 0;
  int64_t warps = 0;
  /// The first resource that a further block would exceed: "blocks", "threads",
  /// "registers" or "shared memory".
  llvm::StringRef limiter;
};

/// Returns the occupancy for blocks of `threads` threads, which are whole
/// warps, with `registers` each and with `sharedBytes` of shared memory.
/// Registers are allocated to a warp in units, and to four warps at a time, one
/// on each part of the multiprocessor (cuda_occupancy.h of the CUDA toolkit,
/// "cudaOccMaxBlocksPerSMRegsLimit").
Occupancy getOccupancy(const Architecture &architecture, int64_t threads,
                       int64_t registers, int64_t sharedBytes);

/// Returns the number of blocks per multiprocessor that the kernel requests;
/// nothing if it requests none.
/// @pre verifyOccupancy has succeeded.
std::optional<int64_t> getBlocksPerProcessor(KernelOp kernel);

/// Fails at a kernel that requests more blocks or threads than a multiprocessor
/// has.
/// @pre the kernel has a block size.
mlir::LogicalResult verifyOccupancy(KernelOp kernel,
                                    const Architecture &architecture);

/// Returns the number of blocks of the kernel's grid, if the sizes that it
/// names are static.
std::optional<int64_t> getNumBlocks(KernelOp kernel);

/// Whether each block is the only one on its multiprocessor. Either the kernel
/// requests this, or it requests nothing and its grid is known to have no more
/// blocks than there are multiprocessors.
bool isAloneOnProcessor(KernelOp kernel, const Architecture &architecture);

/// Returns the registers that a thread may have if the multiprocessor holds
/// `blocks` blocks of the kernel. @pre the kernel has a block size.
int64_t getRegisterLimit(KernelOp kernel, const Architecture &architecture,
                         int64_t blocks);

/// Returns the register limit for the number of blocks that the kernel
/// requests.
int64_t getRegisterLimit(KernelOp kernel, const Architecture &architecture);

/// Returns the bytes of shared memory that a block may have if the
/// multiprocessor holds `blocks` of them.
int64_t getSharedBytesLimit(const Architecture &architecture, int64_t blocks);

/// Returns the limit of bytes for the number of blocks that the kernel
/// requests.
int64_t getSharedBytesLimit(KernelOp kernel, const Architecture &architecture);

} // namespace tile

#endif // TILE_ANALYSIS_OCCUPANCY_H
