// SharedWidth.h - how many elements one access to shared memory takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are accesses between a tile in registers and a buffer. Phases 4 and 6
// choose the buffer's layout for them, the report counts them, and phase 9
// creates them.

#ifndef TILE_ANALYSIS_SHAREDWIDTH_H
#define TILE_ANALYSIS_SHAREDWIDTH_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Whether a vector of the type has the bytes of its elements, one after the
/// other. This is false for complex elements, which have no vectors, and for
/// i1, which is one bit in a vector and a byte in memory.
bool isVectorElement(mlir::Type type);

/// Returns the number of elements of one access by a thread that holds elements
/// of a tile of `shape` according to `layout`. The elements are adjacent along
/// dimension `dim`, at most `maxVector`, and do not cross the edge of the tile
/// or of the buffer's box.
int64_t getSharedWidth(const RegisterLayout &layout,
                       llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> box, mlir::Type element,
                       int64_t dim, int64_t maxVector);

/// Returns the plan for the accesses of a tile in registers to a buffer of its
/// shape in which `dim` is contiguous and whose layout is not chosen yet.
AccessPlan planRegisterAccess(const RegisterLayout &layout,
                              llvm::ArrayRef<int64_t> shape, mlir::Type element,
                              int64_t dim, AccessKind kind);

/// Returns a matmul's plan for an operand, narrowed to vectors that its element
/// type allows and to at most `maxVector` elements.
AccessPlan narrowOperandPlan(AccessPlan plan, mlir::Type element,
                             int64_t maxVector);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDWIDTH_H
