// ScoreForm.h - what attention does to its scores before their softmax
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_SCOREFORM_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_SCOREFORM_H

#include "Structure.h"

namespace tile::fromlinalg {

/// Scores that are minus infinity where key > row + offset, both being
/// dimensions of the scores.
struct CausalMask {
  /// The scores where they count.
  mlir::Value scores;
  unsigned row, key;
  int64_t offset;
};

/// None where scores are masked in another way, or not. A mask of minus
/// infinity that is added leaves what is NaN or infinite as NaN, which no
/// network has.
std::optional<CausalMask> matchCausalMask(mlir::Value scores);

/// Scores multiplied by a number.
struct ScaledScores {
  mlir::Value scores;
  llvm::APFloat factor;
};

std::optional<ScaledScores> matchScaledScores(mlir::Value scores);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_SCOREFORM_H
