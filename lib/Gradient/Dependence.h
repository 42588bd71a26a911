// Dependence.h - values that depend on others by differentiable values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_DEPENDENCE_H
#define TILE_LIB_GRADIENT_DEPENDENCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tile {

using ValueSet = llvm::DenseSet<mlir::Value>;

/// Dependences among the differentiable values of a kernel, arrays included: a
/// result depends on the operands of its operation, and on the values that its
/// regions use from outside; a value that control flow passes on depends on the
/// values that are passed; an array depends on the values that are written to
/// it. Integers carry no dependence.
class Dependence {
public:
  /// `constants` depend on nothing, and nothing depends on them.
  explicit Dependence(mlir::Operation *kernel, mlir::ValueRange constants = {});

  /// Returns `seeds` and all values that depend on them.
  ValueSet findDependents(mlir::ValueRange seeds) const;
  /// Returns `seeds` and all values that they depend on.
  ValueSet findDependencies(mlir::ValueRange seeds) const;

private:
  using Edges = llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>>;

  void add(mlir::Value from, mlir::Value to);
  void addOperation(mlir::Operation *op);
  static ValueSet visit(const Edges &edges, mlir::ValueRange seeds);

  ValueSet constants;
  Edges dependents, dependencies;
};

} // namespace tile

#endif // TILE_LIB_GRADIENT_DEPENDENCE_H
