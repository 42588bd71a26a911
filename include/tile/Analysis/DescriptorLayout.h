// DescriptorLayout.h - buffers that matrix descriptors describe
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup is four warps; the index of the first is a multiple of four. Its
// instruction multiplies 64 rows of A by up to 256 columns of B, and reads both
// from shared memory, at addresses given by descriptors (PTX ISA, "Matrix
// Descriptor Format" and "Swizzling Modes"). A buffer for it consists of
// panels, one after the other. A panel has rows of 32, 64 or 128 bytes along
// the buffer's contiguous dimension, swizzled so that eight rows have no bank
// conflict:
//
//   K contiguous           a row of the panel is a part of a row of A, along K
//   M or N contiguous      a row of the panel is up to 64 elements along M or N
//                          at one k, which instructions of 16-bit operands
//                          transpose
//
// Each warp has 16 rows of the accumulator, distributed as in m16n8k16, except
// that the rows of the next sub-tile of a warp are 64 rows further.

#ifndef TILE_ANALYSIS_DESCRIPTORLAYOUT_H
#define TILE_ANALYSIS_DESCRIPTORLAYOUT_H

#include "tile/Analysis/SharedAccess.h"
#include "tile/Analysis/Tiling.h"

namespace tile {

/// Rows that repeat the pattern of a swizzle.
constexpr int64_t kSwizzledRows = 8;
/// Bytes of the narrowest rows of a panel.
constexpr int64_t kMinPanelBytes = 32;

/// Returns the number of columns of an instruction. A warpgroup's columns are
/// divided equally among as few instructions as possible.
int64_t getInstructionColumns(const Tiling &tiling);

/// Returns the bytes of a row of the panels of operand 0 or 1, whose contiguous
/// dimension, one of the last two, is `contiguous`: the largest of 128, 64 and
/// 32 that makes whole panels; 0 if none does.
int64_t getPanelBytes(const Tiling &tiling, int operand,
                      llvm::ArrayRef<int64_t> box, int64_t contiguous,
                      int64_t elementBytes);

/// Returns the bytes of a row of the panels of a buffer; 0 if it has none. They
/// are fewer than those of an operand if another matmul that reads the buffer
/// needs shorter rows.
int64_t getPanelBytes(SharedAttr shared);

/// The dimensions of a tile along and across the rows of its panels.
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

/// Whether a buffer has the layout that getDescriptorLayout returns.
bool isDescriptorLayout(SharedAttr shared, int64_t elementBytes,
                        int64_t panelBytes);

/// Returns the layout of all elements of operand 0 or 1 that a warpgroup reads.
/// Each thread of the warpgroup has the same elements. The first values are the
/// elements at which descriptors start: along M or N, then at each step along
/// K. The elements of each matmul of a batch follow those of the matmul before.
RegisterLayout getDescriptorElements(const Tiling &tiling, int operand,
                                     llvm::ArrayRef<int64_t> box,
                                     int64_t numWarps);

/// The old name of getDescriptorElements, until version 0.4.
inline RegisterLayout getDescriptorPlaces(const Tiling &tiling, int operand,
                                          llvm::ArrayRef<int64_t> box,
                                          int64_t numWarps) {
  return getDescriptorElements(tiling, operand, box, numWarps);
}

} // namespace tile

#endif // TILE_ANALYSIS_DESCRIPTORLAYOUT_H
