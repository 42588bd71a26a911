// Occupancy.h - how many blocks a multiprocessor has room for
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with `tile.blocks_per_processor = n` is compiled so that a
// multiprocessor can run n of its blocks at a time: ptxas gives a thread no
// more registers than that allows (PTX ISA, ".minnctapersm"), and a block takes
// no more shared memory. A block that waits then leaves the multiprocessor to
// another.

#ifndef TILE_ANALYSIS_OCCUPANCY_H
#define TILE_ANALYSIS_OCCUPANCY_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// Blocks that a multiprocessor holds at a time, and what has no room for more.
struct Occupancy {
  int64_t blocks = 0;
  int64_t warps = 0;
  /// "blocks", "threads", "registers" or "shared memory": the first that a
  /// further block would be too much for.
  llvm::StringRef limiter;
};

/// That of blocks of `threads` threads, which are whole warps, with `registers`
/// each and with `sharedBytes` of shared memory. A warp is given registers in
/// units, four warps at a time, one of each of the multiprocessor's parts
/// (cuda_occupancy.h of the CUDA toolkit, "cudaOccMaxBlocksPerSMRegsLimit").
Occupancy getOccupancy(const Architecture &architecture, int64_t threads,
                       int64_t registers, int64_t sharedBytes);

/// What the kernel asks for, if it does. @pre verifyOccupancy.
std::optional<int64_t> getBlocksPerProcessor(KernelOp kernel);

/// Refuses, at the kernel, more blocks or threads than a multiprocessor has.
/// @pre the kernel has a block size.
mlir::LogicalResult verifyOccupancy(KernelOp kernel,
                                    const Architecture &architecture);

/// Blocks of the kernel's grid, where the sizes that it names are static.
std::optional<int64_t> getNumBlocks(KernelOp kernel);

/// Whether each block is alone on its multiprocessor: the kernel asks for one,
/// or asks for none and its grid is known to have no more blocks than there are
/// multiprocessors.
bool isAloneOnProcessor(KernelOp kernel, const Architecture &architecture);

/// Registers that a thread may have, where the multiprocessor holds `blocks` of
/// the kernel's. @pre the kernel has a block size.
int64_t getRegisterLimit(KernelOp kernel, const Architecture &architecture,
                         int64_t blocks);

/// The same for as many blocks as the kernel asks for.
int64_t getRegisterLimit(KernelOp kernel, const Architecture &architecture);

/// Bytes of shared memory that a block may have, where the multiprocessor holds
/// `blocks` of them.
int64_t getSharedBytesLimit(const Architecture &architecture, int64_t blocks);

/// The same for as many blocks as the kernel asks for.
int64_t getSharedBytesLimit(KernelOp kernel, const Architecture &architecture);

} // namespace tile

#endif // TILE_ANALYSIS_OCCUPANCY_H
