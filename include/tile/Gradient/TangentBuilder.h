// TangentBuilder.h - creates the tangents of the values of a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_TANGENTBUILDER_H
#define TILE_GRADIENT_TANGENTBUILDER_H

#include "tile/Gradient/ValueBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tile {

class TangentBuilder : public ValueBuilder {
public:
  /// Only `active` values get tangents.
  TangentBuilder(mlir::MLIRContext *context,
                 const llvm::DenseSet<mlir::Value> &active)
      : ValueBuilder(mlir::UnknownLoc::get(context), context), active(active) {}

  bool isActive(mlir::Value value) const { return active.contains(value); }

  /// Returns the tangent of a value; null if it is zero.
  mlir::Value getTangent(mlir::Value value) const {
    return tangents.lookup(value);
  }
  void setTangent(mlir::Value value, mlir::Value tangent) {
    if (tangent)
      tangents[value] = tangent;
  }

  /// Creates the tangents of all operations of the block, each after its
  /// operation. Fails, after an error at the operation, at an active operation
  /// without a derivative.
  llvm::LogicalResult linearize(mlir::Block &block);

private:
  llvm::LogicalResult linearize(mlir::Operation *op);

  const llvm::DenseSet<mlir::Value> &active;
  llvm::DenseMap<mlir::Value, mlir::Value> tangents;
};

} // namespace tile

#endif // TILE_GRADIENT_TANGENTBUILDER_H
