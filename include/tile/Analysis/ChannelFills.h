// ChannelFills.h - the check that channels are filled and read in order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each buffer of a fill is empty, uncommitted, in flight, or full:
//
//            copy                 commit              wait
//   empty ----------> uncommitted ------> in flight ------> full
//
// A fill of a stage overwrites the one before, which must be full or empty.
// Threads read a buffer only while it is full. A commit requires copies to each
// buffer of the channel. A store by threads to a stage, in a channel without
// copies, makes its buffer full at once.
//
// So each read gets elements of the fill that its counter identifies; that the
// accesses are ordered is proved by findUnorderedAccesses. A buffer counts as a
// whole: a copy to a part of it fills it.

#ifndef TILE_ANALYSIS_CHANNELFILLS_H
#define TILE_ANALYSIS_CHANNELFILLS_H

#include "tile/Analysis/Synchronization.h"

namespace tile {

/// Returns the accesses, commits and waits of a kernel that may come out of
/// order on some path, and the channels whose counters are not comparable
/// (ChannelPositions.h).
/// @pre verifyChannels
std::vector<SynchronizationFinding> findWrongFills(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_CHANNELFILLS_H
