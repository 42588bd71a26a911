// SharedLayout.h - layouts of tiles in shared memory without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_SHAREDLAYOUT_H
#define TILE_ANALYSIS_SHAREDLAYOUT_H

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Returns the layout of `box` for which the sum of wavefronts and accesses of
/// all plans is least; among equal ones the first. The candidates are, in this
/// order, dense rows, swizzles of units of 16 bytes or more, and rows padded by
/// 16 bytes. If the size of a row is no multiple of 16 bytes, the candidates
/// are dense rows and rows padded by one element. If `unit` is less than 16
/// bytes, no access may be wider than `unit`, and the candidates are dense rows
/// and rows padded by `unit`. The search ends at a candidate without bank
/// conflicts that is better than all before it.
SharedAttr chooseSharedLayout(mlir::MLIRContext *context,
                              llvm::ArrayRef<int64_t> box, int64_t contiguous,
                              int64_t elementBytes,
                              llvm::ArrayRef<AccessPlan> plans,
                              int64_t unit = kMaxAccessBytes);

/// Returns a layout for a buffer that is written and read as a whole, so that
/// its elements may be in any order. If the layout that chooseSharedLayout
/// returns has bank conflicts, layouts with gaps at regular distances are
/// tried, too.
SharedAttr chooseExchangeLayout(mlir::MLIRContext *context,
                                llvm::ArrayRef<int64_t> box, int64_t contiguous,
                                int64_t elementBytes,
                                llvm::ArrayRef<AccessPlan> plans);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDLAYOUT_H
