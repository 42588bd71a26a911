// GlobalAccess.h - sectors that an access to global memory moves
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and caches move sectors of 32 bytes. The accesses of a warp's lanes by
// one instruction are coalesced where they touch no more sectors than their
// bytes fill:
//
//   lane i reads 4 bytes at 4 * i      4 sectors, 4 at least
//   lane i reads 4 bytes at 128 * i    32 sectors, 4 at least

#ifndef TILE_ANALYSIS_GLOBALACCESS_H
#define TILE_ANALYSIS_GLOBALACCESS_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Sectors that all warps of a block move in one execution of an access.
struct Sectors {
  /// Sectors that each instruction of each warp touches, summed.
  int64_t actual = 0;
  /// Sectors that the distinct bytes of each instruction fill, summed.
  int64_t minimal = 0;
};

/// Counts the sectors of a plan of loads or stores (AccessKind::kLoad, kStore)
/// of a box inside its array. `source` gives the addresses of the elements. If
/// a layout is padded, some threads have elements outside of the tile. As in
/// the code of phase 9, they store nothing; they load an element inside the
/// tile or, if `isMasked`, nothing.
Sectors countSectors(const AccessPlan &plan, const CopySource &source,
                     int64_t elementBytes, int64_t sectorBytes, bool isMasked);

} // namespace tile

#endif // TILE_ANALYSIS_GLOBALACCESS_H
