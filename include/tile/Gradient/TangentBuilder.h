// TangentBuilder.h - creates the tangents of the values of a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_TANGENTBUILDER_H
#define TILE_GRADIENT_TANGENTBUILDER_H

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tile {

/// Unit attribute of an operation that gets no tangents, although it may load
/// from an active array.
inline constexpr llvm::StringLiteral kConstantAttr = "constant";

class TangentBuilder : public ValueBuilder {
public:
  /// Only `active` values get tangents. If `replaces`, an operation with
  /// regions is replaced by one that computes its results together with their
  /// tangents; otherwise it stays, and another one computes both.
  TangentBuilder(mlir::MLIRContext *context, llvm::DenseSet<mlir::Value> active,
                 bool replaces)
      : ValueBuilder(mlir::UnknownLoc::get(context), context),
        active(std::move(active)), replaces(replaces) {}

  bool replacesOperations() const { return replaces; }

  /// Records that `combined`, a loop, computes the results of `original`, which
  /// stays, together with their tangents.
  void setOriginal(mlir::Operation *combined, mlir::Operation *original) {
    originals[combined] = original;
  }
  const llvm::DenseMap<mlir::Operation *, mlir::Operation *> &
  getOriginals() const {
    return originals;
  }

  /// Replaces a value by another one, which has its tangent from now on.
  void replaceValue(mlir::Value old, mlir::Value value, mlir::Value tangent);

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

  /// Clones `from`, a region of one block, into `to`, which is empty.
  /// `arguments` are types of more arguments for tangents; `setTangents` is
  /// called with the new block, and sets those of its arguments. Then the block
  /// is linearized. Its terminator passes on the same values as that of `from`.
  llvm::LogicalResult
  cloneLinearized(mlir::Region &from, mlir::Region &to,
                  mlir::TypeRange arguments,
                  llvm::function_ref<void(mlir::Block &)> setTangents);

private:
  llvm::LogicalResult linearize(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> active;
  bool replaces;
  llvm::DenseMap<mlir::Value, mlir::Value> tangents;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals;
};

} // namespace tile

#endif // TILE_GRADIENT_TANGENTBUILDER_H
