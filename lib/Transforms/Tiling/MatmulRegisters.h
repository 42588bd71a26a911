// MatmulRegisters.h - registers of a thread for the tiles of a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_MATMULREGISTERS_H
#define TILE_LIB_TRANSFORMS_MATMULREGISTERS_H

#include "tile/Analysis/Tiling.h"

namespace tile {

/// Returns the registers of a thread for a tile that the block's warps share.
int64_t countRegisters(TileType tile, int64_t numWarps);

/// Returns the registers of a thread for the tiles that the matmul's loop
/// carries in addition to the accumulator.
int64_t countCarriedRegisters(MatmulOpInterface op, int64_t numWarps);

/// Returns the registers of a thread for an lhs that is computed in registers
/// from the accumulators of other matmuls.
int64_t countMadeRegisters(MatmulOpInterface op, int64_t numWarps);

/// Returns the registers of a thread for operands that it prepares for an
/// instruction which reads descriptors: converted tiles of the next step on
/// their way to shared memory; rounded to tf32, lhs of this step and of the
/// next, and rhs of the next step. Each element of lhs is held by `alongN`
/// warps, the number of warps along N.
int64_t countPreparedRegisters(MatmulOpInterface op,
                               MatrixInstructionAttrInterface instruction,
                               const Costs &costs, int64_t numWarps,
                               int64_t alongN);

/// Returns the registers of a thread for all of a matmul with this tiling. For
/// a warpgroup they include an lhs that is computed in registers, prepared
/// operands, and the tiles that the loop carries in addition.
int64_t countRegisters(MatmulOpInterface op, const Tiling &tiling,
                       const Architecture &architecture);

/// Whether a thread may have as many registers as the matmul needs.
bool fitsRegisters(MatmulOpInterface op, const Tiling &tiling,
                   const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MATMULREGISTERS_H
