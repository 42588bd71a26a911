// ScoreForm.h - operations on scores before a softmax
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_SCOREFORM_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_SCOREFORM_H

#include "Structure.h"

namespace tile::fromlinalg {

/// Scores that are minus infinity where key > row + offset; both are dimensions
/// of the scores.
struct CausalMask {
  /// The scores before masking.
  mlir::Value scores;
  unsigned row, key;
  int64_t offset;
};

/// Matches masked scores. Returns none if they are masked in another way, or
/// not at all. Where a mask adds minus infinity, a score that is NaN or plus
/// infinity would stay or become NaN; the match assumes that there is none.
std::optional<CausalMask> matchCausalMask(mlir::Value scores);

/// Scores multiplied by a constant.
struct ScaledScores {
  mlir::Value scores;
  llvm::APFloat factor;
};

std::optional<ScaledScores> matchScaledScores(mlir::Value scores);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_SCOREFORM_H
