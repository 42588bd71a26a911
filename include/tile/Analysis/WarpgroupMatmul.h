// WarpgroupMatmul.h - matmuls that four warps issue together (wgmma)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup is four warps; the index of the first is a multiple of four. It
// multiplies 64 rows of A by up to 256 columns of B. The instruction reads both
// from shared memory, at addresses given by descriptors (PTX ISA, "Matrix
// Descriptor Format" and "Swizzling Modes"). A buffer consists of panels, one
// after the other, of rows of 32, 64 or 128 bytes along its contiguous
// dimension, swizzled so that eight of them have no bank conflict:
//
//   K contiguous           a row of the panel is K of one row of A
//   M or N contiguous      a row of the panel is up to 64 of M at one k, which
//                          instructions of 16-bit operands transpose
//
// A of 16-bit elements may be in registers instead, as in a chain of matmuls
// (MatmulChain.h): each warp has 16 rows, distributed as in m16n8k16.
//
// A warp has 16 rows of the accumulator, distributed as in m16n8k16, except
// that the rows of a warp's next sub-tile are 64 further.

#ifndef TILE_ANALYSIS_WARPGROUPMATMUL_H
#define TILE_ANALYSIS_WARPGROUPMATMUL_H

#include "tile/Analysis/SharedAccess.h"
#include "tile/Analysis/Tiling.h"

namespace tile {

/// Rows of A of one instruction, and the most columns of B.
constexpr int64_t kWarpgroupRows = 64;
constexpr int64_t kMaxWarpgroupColumns = 256;
/// Rows that repeat the pattern of a swizzle.
constexpr int64_t kSwizzledRows = 8;

/// Explains why a matmul cannot be one of a warpgroup, before its operands have
/// buffers, with the expected and the actual property; empty if it can be.
std::string explainNoWarpgroup(MatmulOpInterface op);

/// Whether the operands are rounded before they are multiplied: for tf32 the
/// instruction would cut off the bits that the type lacks. Each rounded operand
/// is another tile, lhs in registers, rhs on its way to shared memory.
bool isRounded(MatmulOpInterface op);

/// Whether wgmma pays if it is possible. For rounded operands it pays only for
/// large tiles, since rounding between two MMAs dominates small ones.
bool isWorthWarpgroup(MatmulOpInterface op, const Costs &costs);

/// Whether 16 bytes of rhs, instead of one element, are loaded at a time to be
/// rounded.
/// @pre explainNoWarpgroup(op) is empty.
bool isRoundedByVectors(MatmulOpInterface op);

/// Whether lhs is computed from the accumulators of other matmuls, and the
/// instruction takes its elements from registers.
bool canHaveLhsInRegisters(MatmulOpInterface op);

/// Returns the columns of each of the instructions next to each other along N:
/// the most that are possible, equal for all.
int64_t getInstructionColumns(const Tiling &tiling);

/// Whether an instruction's columns are whole panels of rhs, before it has a
/// buffer. @pre explainNoWarpgroup(op) is empty.
bool hasWholePanels(MatmulOpInterface op, const Tiling &tiling);

/// Returns the bytes of a row of the panels of operand 0 or 1, whose contiguous
/// dimension, one of the last two, is `contiguous`: the largest of 128, 64 and
/// 32 that makes whole panels; 0 if none does.
int64_t getPanelBytes(const Tiling &tiling, int operand,
                      llvm::ArrayRef<int64_t> box, int64_t contiguous,
                      int64_t elementBytes);

/// Dimensions of a tile that are those of its panels.
struct PanelDimensions {
  int64_t contiguous, outer;
};
/// Returns the panel dimensions of an operand whose first dimension is the
/// batch; nothing if the batch is contiguous.
std::optional<PanelDimensions> getPanelDimensions(int64_t rank,
                                                  int64_t contiguous);

/// Returns the layout of a box in panels, with the matmuls of a batch one after
/// the other.
SharedAttr getDescriptorLayout(mlir::MLIRContext *context,
                               llvm::ArrayRef<int64_t> box,
                               const PanelDimensions &dims,
                               int64_t elementBytes, int64_t panelBytes);

/// Whether a buffer has that layout.
bool isDescriptorLayout(SharedAttr shared, int64_t elementBytes,
                        int64_t panelBytes);

/// Returns the layout of all elements of operand 0 or 1 that a warpgroup reads,
/// equal for all its threads. The first values are the elements at which
/// descriptors start: along M or N, then steps along K. The elements of each
/// matmul of a batch follow all those of the one before.
RegisterLayout getDescriptorPlaces(const Tiling &tiling, int operand,
                                   llvm::ArrayRef<int64_t> box,
                                   int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_WARPGROUPMATMUL_H
