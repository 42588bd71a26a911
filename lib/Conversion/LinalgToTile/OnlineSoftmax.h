// OnlineSoftmax.h - the second matmul of attention
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H

#include "Structure.h"

namespace tile::fromlinalg {

/// A matmul one of whose operands is exp(s - max) / sum, of scores s, their
/// largest in a row, and the sum of the powers of the row.
struct OnlineSoftmax {
  /// The operand that is the softmax.
  mlir::OpOperand *weights;
  /// The tensor of scores.
  mlir::Value scores;
  /// Whether a row whose scores are all minus infinity has weights of zero, not
  /// NaN.
  bool isSafe = false;
  /// The operations from those that read the scores to the one that makes the
  /// weights.
  llvm::SmallVector<mlir::linalg::GenericOp> ops;
};

/// Matches a matmul with such an operand; none if it has none.
std::optional<OnlineSoftmax> matchOnlineSoftmax(mlir::linalg::GenericOp op);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H
