// Collectives.h - shuffles, votes and other collective instructions of lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_COLLECTIVES_H
#define TILE_EMULATOR_COLLECTIVES_H

#include "tile/Emulator/Site.h"

#include <array>

namespace tile::emulator {

/// Operands and results of a lane in a collective instruction.
struct LaneValue {
  uint64_t value = 0;
  /// Operands b and c of the PTX instruction, if it is a shuffle.
  uint32_t laneOperand = 0, clamp = 0;
  uint32_t result = 0;
  bool predicate = false;
};

/// The values by lane; pointers of lanes that `mask` does not name are not
/// read.
using LaneValues = std::array<LaneValue *, 32>;

/// Each function executes the instruction of `site` for the lanes of `mask`.
void shuffle(const Site &site, uint32_t mask, const LaneValues &lanes);
void vote(const Site &site, uint32_t mask, const LaneValues &lanes);
void match(const Site &site, uint32_t mask, const LaneValues &lanes);
void redux(const Site &site, uint32_t mask, const LaneValues &lanes);

} // namespace tile::emulator

#endif // TILE_EMULATOR_COLLECTIVES_H
