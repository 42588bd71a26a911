// OnlineSoftmax.h - softmaxes that matmuls compute as they go
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tile::fromlinalg {

/// A matmul's operand that is a softmax of scores: exp(s - max) / sum, for each
/// score s, the largest score of its row, and the sum of the row's powers.
struct OnlineSoftmax {
  mlir::OpOperand *weights;
  mlir::Value scores;
  /// Dimension of the weights along which they are normalized.
  int64_t dim;
  /// Whether a row whose scores are all minus infinity has weights of zero, not
  /// NaN.
  bool isSafe;
};

/// The softmax that each matmul reads.
using Softmaxes = llvm::DenseMap<mlir::Operation *, OnlineSoftmax>;

/// Returns the softmax that is an operand of a matmul; none if no operand is
/// one.
std::optional<OnlineSoftmax> matchOnlineSoftmax(mlir::linalg::GenericOp op);

/// Creates a `tile.online_softmax` for each matmul of a function whose operand
/// is a softmax.
void createOnlineSoftmaxes(mlir::func::FuncOp function);

/// Replaces each `tile.online_softmax` that is in no group by its weights, and
/// returns the softmax of each matmul that has read one.
Softmaxes takeOnlineSoftmaxes(mlir::func::FuncOp function);

/// Creates a `tile.online_softmax` for the operand of a matmul.
void createOnlineSoftmax(const OnlineSoftmax &softmax);

/// Returns the operations that compute the weights of a softmax from its
/// scores.
llvm::SmallVector<mlir::linalg::GenericOp>
getOperations(const OnlineSoftmax &softmax);

/// Returns the weights of a `tile.online_softmax`; other tensors as they are.
mlir::Value skipOnlineSoftmax(mlir::Value tensor);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_ONLINESOFTMAX_H
