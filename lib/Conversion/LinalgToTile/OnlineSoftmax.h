// OnlineSoftmax.h - the second product of attention
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H

#include "Structure.h"

namespace tile::fromlinalg {

/// A product whose one factor is exp(s - max) / sum, of scores s, their largest
/// in a row, and the sum of the powers of the row.
struct OnlineSoftmax {
  /// The factor that is the softmax.
  mlir::OpOperand *weights;
  /// The tensor of scores.
  mlir::Value scores;
  /// A row of which all scores are minus infinity has weights of zero, not NaN.
  bool isSafe = false;
  /// From what reads the scores to what makes the weights.
  llvm::SmallVector<mlir::linalg::GenericOp> ops;
};

/// None where the product has no such factor.
std::optional<OnlineSoftmax> matchOnlineSoftmax(mlir::linalg::GenericOp op);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H
