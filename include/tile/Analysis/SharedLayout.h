// SharedLayout.h - layouts of tiles in shared memory without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_SHAREDLAYOUT_H
#define TILE_ANALYSIS_SHAREDLAYOUT_H

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Returns the layout of `box` for which all plans together need the fewest
/// wavefronts. The candidates are the dense layout, the swizzles of 16-byte
/// units, and rows padded by 16 bytes; among equally good ones, the first is
/// returned. If `unit` is less than 16 bytes, no access is wider than `unit`,
/// and the candidates are plain rows and rows padded by `unit`, without
/// swizzles.
SharedAttr chooseSharedLayout(mlir::MLIRContext *context,
                              llvm::ArrayRef<int64_t> box, int64_t contiguous,
                              int64_t elementBytes,
                              llvm::ArrayRef<AccessPlan> plans,
                              int64_t unit = kMaxAccessBytes);

/// Returns such a layout for a buffer that is written and read as a whole, so
/// that its elements may be in any order. If the best candidate has conflicts,
/// layouts with gaps at regular distances are tried, too.
SharedAttr chooseExchangeLayout(mlir::MLIRContext *context,
                                llvm::ArrayRef<int64_t> box, int64_t contiguous,
                                int64_t elementBytes,
                                llvm::ArrayRef<AccessPlan> plans);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDLAYOUT_H
