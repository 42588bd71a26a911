// ChannelFills.h - the check that channels are filled and read in order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fill of a channel is empty, being filled, in flight, or full:
//
//            copy               commit              wait
//   empty ----------> filling ----------> in flight ------> full
//                        ^                                   | copy
//                        +-----------------------------------+
//
// Threads read a fill only while it is full. A fill without copies is committed
// too, so a commit also leads from empty or full to in flight. Threads that
// store to a stage without reading it make its fill full at once.
//
// The check covers which fill is accessed; findUnorderedAccesses proves that
// the accesses are ordered.

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
