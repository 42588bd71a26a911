// ChannelFills.h - the check that channels are filled and read in order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each buffer of a fill is in one of these states:
//
//          acquire           copy                commit
//   empty --------> acquired -----> uncommitted --------> in flight
//     ^                                                       |
//     |              release                           wait   |
//     +------------------------------ full <------------------+
//
// A fill is acquired when the fill before in its stage is empty. Threads read a
// buffer only while it is full. A commit requires copies to each buffer of the
// channel, and a release that the asynchronous MMAs which read the fill are
// complete. A store by threads to a stage, in a channel without copies, makes
// its buffer full at once; such channels have no acquires and no releases.
//
// So each read gets elements of the fill that its counter identifies; that the
// accesses are ordered is proved by findUnorderedAccesses. A buffer counts as a
// whole: a copy to a part of it fills it.

#ifndef TILE_ANALYSIS_CHANNELFILLS_H
#define TILE_ANALYSIS_CHANNELFILLS_H

#include "tile/Analysis/Synchronization.h"

namespace tile {

/// Returns the accesses and operations on fills of a kernel that may come out
/// of order on some path, and the channels whose counters are not comparable
/// (ChannelPositions.h).
/// @pre verifyChannels
std::vector<SynchronizationFinding> findWrongFills(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_CHANNELFILLS_H
