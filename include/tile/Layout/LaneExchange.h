// LaneExchange.h - how lanes of a warp exchange the elements of a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two layouts of a tile whose warps hold the same elements differ by what each
// thread reads of which lane: a shuffle reads one value of the lane that a
// number computed of the reader's own names (PTX ISA, "shfl.sync", mode idx).
//
//   64 elements, lane l has l and l + 32       (32,1,2):(1,0,32)
//   lane l wants 2 l and 2 l + 1               (32,1,2):(2,0,1)
//
// value 0 is read of lane 2 l modulo 32, as its value 0 by lanes below 16, as
// its value 1 by the others: two shuffles and a selection.

#ifndef TILE_LAYOUT_LANEEXCHANGE_H
#define TILE_LAYOUT_LANEEXCHANGE_H

#include "tile/Layout/RegisterLayout.h"

namespace tile {

/// A number computed of the bits of a thread's: `base`, and `columns[i]` for
/// each bit i that is set, added without carry.
struct BitFunction {
  int64_t base = 0;
  std::array<int64_t, 10> columns = {};

  int64_t operator()(int64_t thread) const;
};

/// Where threads get one value of theirs from.
struct LaneRead {
  BitFunction lane;  ///< of the thread in the block, a lane of its warp
  BitFunction value; ///< that of the lane's values
  std::vector<int64_t> values; ///< all that some thread reads
};

struct LaneExchange {
  /// For each value of the wanted layout.
  std::vector<LaneRead> reads;

  /// Shuffles of one value.
  int64_t getNumShuffles() const;
};

/// How the elements of `from` come to the threads that have them by `to`. None
/// where a warp lacks some, or a source is no function of bits.
std::optional<LaneExchange> planLaneExchange(const RegisterLayout &from,
                                             const RegisterLayout &to);

} // namespace tile

#endif // TILE_LAYOUT_LANEEXCHANGE_H
