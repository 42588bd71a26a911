// LaneExchange.h - how lanes of a warp exchange the elements of a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two layouts of a tile whose warps hold the same elements differ by the lanes
// and values from which each thread reads. A shuffle reads one value of a lane
// whose index is computed from the reader's own index (PTX ISA, "shfl.sync",
// mode idx).
//
//   64 elements, lane l has l and l + 32       (32,1,2):(1,0,32)
//   lane l wants 2 l and 2 l + 1               (32,1,2):(2,0,1)
//
// Value 0 is read from lane 2 l modulo 32: lanes below 16 read value 0 of that
// lane, lanes from 16 on its value 1. This takes two shuffles and a selection.

#ifndef TILE_LAYOUT_LANEEXCHANGE_H
#define TILE_LAYOUT_LANEEXCHANGE_H

#include "tile/Layout/RegisterLayout.h"

namespace tile {

/// An integer computed from the bits of a thread index: `base`, and
/// `columns[i]` for each bit i that is set, added without carry.
struct BitFunction {
  int64_t base = 0;
  std::array<int64_t, 10> columns = {};

  int64_t operator()(int64_t thread) const;
};

/// The source from which each thread reads one of its values.
struct LaneRead {
  BitFunction lane;            ///< index of the source lane in the block
  BitFunction value;           ///< which value of the source lane is read
  std::vector<int64_t> values; ///< the values that some thread reads
};

struct LaneExchange {
  /// The reads, one for each value of the layout `to`.
  std::vector<LaneRead> reads;

  /// Returns the number of shuffles, each of one value.
  int64_t getNumShuffles() const;
};

/// Plans how the elements of `from` move to the threads that have them in `to`.
/// Returns nothing if a warp lacks some of them, or if a source is no function
/// of bits.
std::optional<LaneExchange> planLaneExchange(const RegisterLayout &from,
                                             const RegisterLayout &to);

} // namespace tile

#endif // TILE_LAYOUT_LANEEXCHANGE_H
