// WarpgroupProduct.h - products that four warps issue together (wgmma)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup, four warps of which the first has a number that 4 divides,
// multiplies 64 rows of A by up to 256 columns of B. Both are read from shared
// memory by the instruction, which is told where by descriptors (PTX ISA,
// "Matrix Descriptor Format" and "Swizzling Modes"). A buffer is panels, one
// behind the other, of rows of 32, 64 or 128 bytes along its contiguous
// dimension, swizzled so that eight of them have no bank conflict:
//
//   K contiguous           a row of the panel is K of one row of A
//   M or N contiguous      a row of the panel is up to 64 of M at one k, which
//                          instructions of 16-bit operands transpose
//
// A of 16-bit elements may be in registers instead, as a chain of products has
// it (ProductChain.h): to each warp 16 rows, as m16n8k16 has them.
//
// Of the accumulator a warp has 16 rows, as it would have of m16n8k16: only
// that the rows of a warp's next sub-tile are 64 further.

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
std::string explainNoWarpgroup(ProductOpInterface op);

/// Whether the operands are rounded before they are multiplied: of tf32 the
/// instruction would cut off the bits that it has not. That of each is another
/// tile, lhs in registers, rhs on its way to shared memory.
bool isRounded(ProductOpInterface op);

/// Whether wgmma pays where it is possible: for rounded operands it does for
/// large tiles only, since rounding between two MMAs dominates small ones.
bool isWorthWarpgroup(ProductOpInterface op, const Costs &costs);

/// Whether 16 bytes of rhs are loaded at a time to be rounded, not an element.
/// @pre explainNoWarpgroup(op) is empty.
bool isRoundedByVectors(ProductOpInterface op);

/// Whether lhs is made of the accumulators of other products, and the
/// instruction takes its elements from registers.
bool canHaveLhsInRegisters(ProductOpInterface op);

/// Columns of each of the instructions side by side along N: as many as there
/// may be, the same for all.
int64_t getInstructionColumns(const Tiling &tiling);

/// Whether an instruction's columns are whole panels of rhs, before it has a
/// buffer. @pre explainNoWarpgroup(op) is empty.
bool hasWholePanels(ProductOpInterface op, const Tiling &tiling);

/// Bytes of a row of the panels of operand 0 or 1, whose contiguous dimension,
/// one of the last two, is `contiguous`: the most of 128, 64 and 32 that are
/// whole; 0 if none is.
int64_t getPanelBytes(const Tiling &tiling, int operand,
                      llvm::ArrayRef<int64_t> box, int64_t contiguous,
                      int64_t elementBytes);

/// Which dimensions of a tile are those of its panels.
struct PanelDimensions {
  int64_t contiguous, outer;
};
/// Those of an operand with its batch first; none where the batch is
/// contiguous.
std::optional<PanelDimensions> getPanelDimensions(int64_t rank,
                                                  int64_t contiguous);

/// The layout of a box in panels, one product of a batch behind the other.
SharedAttr getDescriptorLayout(mlir::MLIRContext *context,
                               llvm::ArrayRef<int64_t> box,
                               const PanelDimensions &dims,
                               int64_t elementBytes, int64_t panelBytes);

/// Whether a buffer has that layout.
bool isDescriptorLayout(SharedAttr shared, int64_t elementBytes,
                        int64_t panelBytes);

/// Of operand 0 or 1, all that a warpgroup reads, the same for its threads. The
/// first values are where descriptors begin: along M or N, then steps along K.
/// Those of the next product of a batch are behind all of the one before.
RegisterLayout getDescriptorPlaces(const Tiling &tiling, int operand,
                                   llvm::ArrayRef<int64_t> box,
                                   int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_WARPGROUPPRODUCT_H
