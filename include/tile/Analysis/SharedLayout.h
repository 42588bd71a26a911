// SharedLayout.h - layouts of tiles in shared memory without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_SHAREDLAYOUT_H
#define TILE_ANALYSIS_SHAREDLAYOUT_H

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// A layout of `box` for which all plans together need the fewest wavefronts,
/// counted access by access: the dense layout, one of the swizzles of 16-byte
/// units, or rows padded by 16 bytes, the first of the best. With a `unit` of
/// fewer bytes no access is wider, and there are no swizzles: plain rows, or
/// rows padded by that.
SharedAttr chooseSharedLayout(mlir::MLIRContext *context,
                              llvm::ArrayRef<int64_t> box, int64_t contiguous,
                              int64_t elementBytes,
                              llvm::ArrayRef<AccessPlan> plans,
                              int64_t unit = kMaxAccessBytes);

/// The same for a buffer that is written and read as a whole, which may be laid
/// out in any way: where the best of those has conflicts, gaps after every so
/// many elements are tried, too.
SharedAttr chooseExchangeLayout(mlir::MLIRContext *context,
                                llvm::ArrayRef<int64_t> box, int64_t contiguous,
                                int64_t elementBytes,
                                llvm::ArrayRef<AccessPlan> plans);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDLAYOUT_H
