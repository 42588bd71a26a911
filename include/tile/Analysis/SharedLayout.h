// SharedLayout.h - layouts of tiles in shared memory without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_SHAREDLAYOUT_H
#define TILE_ANALYSIS_SHAREDLAYOUT_H

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Returns the layout of `box` for which all plans together need the fewest
/// wavefronts, counted access by access. The candidates are the dense layout,
/// the swizzles of 16-byte units, and rows padded by 16 bytes; the first of the
/// best is taken. With a `unit` of fewer bytes no access is wider, and the
/// candidates are plain rows and rows padded by `unit`, without swizzles.
SharedAttr chooseSharedLayout(mlir::MLIRContext *context,
                              llvm::ArrayRef<int64_t> box, int64_t contiguous,
                              int64_t elementBytes,
                              llvm::ArrayRef<AccessPlan> plans,
                              int64_t unit = kMaxAccessBytes);

/// Returns such a layout for a buffer that is written and read as a whole,
/// which may be laid out in any way. If the best of the candidates has
/// conflicts, gaps after every so many elements are tried, too.
SharedAttr chooseExchangeLayout(mlir::MLIRContext *context,
                                llvm::ArrayRef<int64_t> box, int64_t contiguous,
                                int64_t elementBytes,
                                llvm::ArrayRef<AccessPlan> plans);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDLAYOUT_H
