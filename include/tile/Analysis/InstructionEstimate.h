// InstructionEstimate.h - how much code a kernel will be
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's share of a tile is straight code: what is done with an element
// stands in the PTX once for each element of the thread, and LLVM and ptxas
// take a time that grows with it. The estimate is read off the kernel before it
// is lowered, when layouts are known. It is in instructions of PTX, of which
// those that ptxas takes long for count several times.

#ifndef TILE_ANALYSIS_INSTRUCTIONESTIMATE_H
#define TILE_ANALYSIS_INSTRUCTIONESTIMATE_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// What a kernel may have. On a processor of 2025 LLVM takes up to 10 s for
/// it, ptxas up to a minute.
constexpr int64_t kMaxInstructions = 80000;

/// The instructions of an operation, without those of operations inside it, in
/// a kernel of `block` threads: of its own block size, what its tiles' layouts
/// say, of another one, what is left of it if each thread has less to do.
/// @pre the kernel has been through the phases before phase 9.
int64_t estimateInstructions(mlir::Operation *op,
                             const Architecture &architecture, int64_t block);

/// The same for all of a kernel.
int64_t estimateInstructions(KernelOp kernel, const Architecture &architecture,
                             int64_t block);

/// The least block size, a power of two, that keeps the kernel's estimate
/// within kMaxInstructions.
std::optional<int64_t> findSmallestBlock(KernelOp kernel,
                                         const Architecture &architecture);

} // namespace tile

#endif // TILE_ANALYSIS_INSTRUCTIONESTIMATE_H
