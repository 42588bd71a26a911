// WarpgroupProduct.h - products that four warps issue together (wgmma)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup, four warps of which the first has a number that 4 divides,
// multiplies 64 rows of A by up to 256 columns of B. Both are read from shared
// memory by the instruction, which is told where by descriptors: K is
// contiguous, and a row of K is 32, 64 or 128 bytes, swizzled so that eight of
// them have no bank conflict (PTX ISA, "Matrix Descriptor Format" and
// "Swizzling Modes"). Of the accumulator a warp has 16 rows, as it would have
// of m16n8k16: only that the rows of a warp's next sub-tile are 64 further.

#ifndef TILE_ANALYSIS_WARPGROUPPRODUCT_H
#define TILE_ANALYSIS_WARPGROUPPRODUCT_H

#include "tile/Analysis/SharedAccess.h"
#include "tile/Analysis/Tiling.h"

namespace tile {

/// Rows of A of one instruction, and columns of B at most.
constexpr int64_t kWarpgroupRows = 64;
constexpr int64_t kMaxWarpgroupColumns = 256;
/// Rows that repeat the pattern of a swizzle.
constexpr int64_t kSwizzledRows = 8;

/// Why a product cannot be one of a warpgroup, before its operands have
/// buffers: what was expected and what was found; empty where it can be.
std::string explainNoWarpgroup(MatmulOp op);

/// The layout that a descriptor can name of a box with rows of `rowBytes`, 32,
/// 64 or 128, along dimension `fastest`.
SharedAttr getDescriptorLayout(mlir::MLIRContext *context,
                               llvm::ArrayRef<int64_t> box, int64_t fastest,
                               int64_t elementBytes);

/// Of operand 0 or 1, all that a warpgroup reads, the same for its threads. The
/// first values are where descriptors begin: along M or N, then steps along K.
RegisterLayout getDescriptorPlaces(const Tiling &tiling, int operand,
                                   llvm::ArrayRef<int64_t> box,
                                   int64_t numWarps);

/// Columns of each of the instructions side by side along N: as many as there
/// may be, the same for all.
int64_t getInstructionColumns(const Tiling &tiling);

} // namespace tile

#endif // TILE_ANALYSIS_WARPGROUPPRODUCT_H
