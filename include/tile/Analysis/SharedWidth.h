// SharedWidth.h - how many elements one access to shared memory takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between a tile in registers and a buffer. Phases 4 and 6 choose the buffer's
// layout for these accesses, the report counts them, and phase 9 makes them.

#ifndef TILE_ANALYSIS_SHAREDWIDTH_H
#define TILE_ANALYSIS_SHAREDWIDTH_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Whether a vector of the type has the bytes of its elements one after the
/// other. Complex elements make no vector; i1 is one bit in a vector and a byte
/// in memory.
bool isVectorElement(mlir::Type type);

/// Returns the elements of one access of a thread that has the elements of a
/// tile of `shape` by `layout`. They are adjacent along dimension `dim`, at
/// most `maxVector`, and cross the edge of neither the tile nor the buffer's
/// box.
int64_t getSharedWidth(const RegisterLayout &layout,
                       llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> box, mlir::Type element,
                       int64_t dim, int64_t maxVector);

/// Returns the accesses of a tile in registers to a buffer of its shape, whose
/// layout is not chosen yet, with `dim` contiguous.
AccessPlan planRegisterAccess(const RegisterLayout &layout,
                              llvm::ArrayRef<int64_t> shape, mlir::Type element,
                              int64_t dim, AccessKind kind);

/// Returns a matmul's accesses to an operand, narrowed to its element type and
/// to a buffer whose accesses have at most `maxVector` elements.
AccessPlan narrowOperandPlan(AccessPlan plan, mlir::Type element,
                             int64_t maxVector);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDWIDTH_H
