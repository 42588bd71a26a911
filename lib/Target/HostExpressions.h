// HostExpressions.h - integers of a host function as expressions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_HOSTEXPRESSIONS_H
#define TILE_TARGET_HOSTEXPRESSIONS_H

#include "tile/Runtime/KernelMetadata.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tile {

/// Returns the expression `lhs kind rhs`. Folds it if both are constants, and
/// leaves out additions of 0 and multiplications by 1.
runtime::Expression combine(runtime::Expression::Kind kind,
                            runtime::Expression lhs, runtime::Expression rhs);

/// The integers of a function that are expressions over its arguments.
class HostExpressions {
public:
  void set(mlir::Value value, runtime::Expression expression) {
    values[value] = std::move(expression);
  }

  /// Returns the expression of `value`; nothing if it has none.
  std::optional<runtime::Expression> get(mlir::Value value) const;

  /// Returns the expression of a size that is a constant or an SSA value;
  /// nothing if the value has no expression.
  std::optional<runtime::Expression> get(mlir::OpFoldResult size) const;
  std::optional<std::vector<runtime::Expression>>
  get(llvm::ArrayRef<mlir::OpFoldResult> sizes) const;

  /// Records the expressions of the results of `op`, an operation of arith or
  /// affine on integers. Returns false if there are none.
  bool visit(mlir::Operation *op);

private:
  std::optional<runtime::Expression> compute(mlir::Operation *op) const;
  std::optional<runtime::Expression> computeBinary(mlir::Operation *op) const;
  std::optional<runtime::Expression>
  computeChoice(mlir::arith::SelectOp op) const;
  std::optional<runtime::Expression> compute(mlir::AffineExpr expr,
                                             mlir::ValueRange operands,
                                             unsigned numDims) const;

  llvm::DenseMap<mlir::Value, runtime::Expression> values;
};

} // namespace tile

#endif // TILE_TARGET_HOSTEXPRESSIONS_H
