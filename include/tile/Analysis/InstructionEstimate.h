// InstructionEstimate.h - code size estimate of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code for a thread's share of a tile is not a loop: the PTX repeats the
// operations on an element for each element of the thread, and the compile time
// of LLVM and ptxas grows with it. The estimate is made before the kernel is
// lowered, when layouts are known. Its unit is one PTX instruction;
// instructions for which ptxas takes long count several times.

#ifndef TILE_ANALYSIS_INSTRUCTIONESTIMATE_H
#define TILE_ANALYSIS_INSTRUCTIONESTIMATE_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// Maximum number of instructions of a kernel. On a CPU of 2025, LLVM takes up
/// to 10 s for that many, and ptxas up to a minute.
constexpr int64_t kMaxInstructions = 80000;

/// Returns the instructions of an operation, without those of operations inside
/// it, in a kernel of `block` threads. For the kernel's own block size they
/// follow from the tiles' layouts; for another size they are scaled to the work
/// that each thread then has.
/// @pre the kernel has been through the phases before phase 9.
int64_t estimateInstructions(mlir::Operation *op, int64_t block);

/// Returns the estimate for a whole kernel.
int64_t estimateInstructions(KernelOp kernel, int64_t block);

/// Returns the least power of two, larger than the block size, for which the
/// kernel's estimate is within kMaxInstructions; nothing if there is none.
std::optional<int64_t> findSmallestBlock(KernelOp kernel,
                                         const Architecture &architecture);

/// Registers the implementation of CostOpInterface for tile.matmul and
/// tile_gpu.mma_async. It reads the matmul's tiling, which must be complete.
void registerMatmulCosts(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_ANALYSIS_INSTRUCTIONESTIMATE_H
