// DescriptorLimits.h - matmuls whose operands are not read by descriptors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_DESCRIPTORLIMITS_H
#define TILE_LIB_TRANSFORMS_DESCRIPTORLIMITS_H

#include "tile/Analysis/MatmulChain.h"

namespace tile {

/// Forbids the instruction, chosen by the compiler, that reads descriptors if
/// the accumulators do not fit the registers, if the instruction does not suit
/// the tiling parameters that the program gives, or if the intermediate results
/// of a chain would not stay in registers. Each warp then has consecutive rows
/// of the matmuls of such a chain.
/// @pre the kernel has a block size, and each matmul a tiling attribute, which
/// may be empty
void limitDescriptors(KernelOp kernel, MatmulChains &chains,
                      const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_DESCRIPTORLIMITS_H
