// Mma.h - products of matrix fragments
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_MMA_H
#define TILE_EMULATOR_MMA_H

#include "tile/Emulator/Site.h"

#include <array>

namespace tile::emulator {

/// The registers of one lane.
struct MmaOperands {
  void *d;
  const void *a, *b, *c;
};

/// Does the instruction for the 32 lanes.
///
/// Floats: products are exact in f32 (of f64 fused), sums start with c and go
/// on with k from 0, each rounded to nearest even in f32 (f64); f16 results are
/// rounded once from the f32 sum. Integers: exact, then wrapped or clamped.
/// @pre isSupported(mma)
void multiply(const MmaFacts &mma, const std::array<MmaOperands, 32> &lanes);

} // namespace tile::emulator

#endif // TILE_EMULATOR_MMA_H
