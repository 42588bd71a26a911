// Mma.h - MMAs of matrix fragments
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_MMA_H
#define TILE_EMULATOR_MMA_H

#include "tile/Emulator/Site.h"

#include <array>

namespace tile::emulator {

/// Returns how many elements a register holds.
constexpr int getPacking(ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
    return 2;
  case ElementType::F8E4M3:
  case ElementType::F8E5M2:
  case ElementType::S8:
  case ElementType::U8:
    return 4;
  default:
    return 1;
  }
}

/// Number of rows of a warpgroup's MMA, and the shape of the part that a warp
/// computes at a time.
constexpr uint32_t kGroupRows = 64;
constexpr uint32_t kWarpRows = 16;
constexpr uint32_t kWarpColumns = 8;

/// Describes, as an mma.sync, a part of a warpgroup's MMA that a warp computes:
/// the warp's rows and eight columns.
inline MmaFacts getWarpPart(const MmaFacts &group) {
  MmaFacts part = group;
  part.m = kWarpRows;
  part.n = kWarpColumns;
  return part;
}

/// The registers of one lane for an MMA.
struct MmaOperands {
  void *d;
  const void *a, *b, *c;
};

/// Executes the instruction `mma` for the 32 lanes of a warp.
///
/// For floating-point types, multiplications are exact in f32 (fused with the
/// addition in f64). A sum starts with c and adds the terms in the order of k.
/// Each addition is rounded to nearest even in f32 (f64); an f16 result is
/// rounded once from the f32 sum. For integers, the sum is exact, and then
/// wrapped or clamped.
/// @pre isSupported(mma)
void multiply(const MmaFacts &mma, const std::array<MmaOperands, 32> &lanes);

} // namespace tile::emulator

#endif // TILE_EMULATOR_MMA_H
