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
/// other: complex numbers make no vector, i1 is one bit in it and a byte in
/// memory.
bool isVectorElement(mlir::Type type);

/// Elements of one access of a thread that has the elements of a tile of
/// `shape` by `layout`: adjacent ones along dimension `dim`, at most
/// `maxVector`, across the edge neither of the tile nor of the buffer's box.
int64_t getSharedWidth(const RegisterLayout &layout,
                       llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> box, mlir::Type element,
                       int64_t dim, int64_t maxVector);

/// The accesses of a tile in registers to a buffer of its shape, whose layout
/// is not chosen yet, with `dim` contiguous.
AccessPlan planRegisterAccess(const RegisterLayout &layout,
                              llvm::ArrayRef<int64_t> shape, mlir::Type element,
                              int64_t dim, AccessKind kind);

/// A product's accesses to an operand, narrowed to what its element type and a
/// buffer of accesses of at most `maxVector` elements allow.
AccessPlan narrowOperandPlan(AccessPlan plan, mlir::Type element,
                             int64_t maxVector);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDWIDTH_H
