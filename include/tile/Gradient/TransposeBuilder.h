// TransposeBuilder.h - transposes the tangents of a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_TRANSPOSEBUILDER_H
#define TILE_GRADIENT_TRANSPOSEBUILDER_H

#include "tile/Gradient/ValueBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tile {

/// How the cotangent of elements that a program loads reaches their gradient.
enum class GradientUpdate {
  /// The cotangent is stored, since no other load reads the elements.
  store,
  /// The cotangent is added, since other loads of the program may read them.
  add,
  /// Atomic operations add the cotangent, since any program may read them;
  /// unless these are requested, owners of the elements replace them.
  atomic
};

/// Loops of a linearized program, and arrays for the values that they carry.
class LoopStates {
public:
  virtual ~LoopStates() = default;

  /// Returns the loop that computes the same values as `combined`, without
  /// tangents; null if there is none.
  virtual mlir::Operation *getOriginal(mlir::Operation *combined) const = 0;

  /// Creates an array with room for `trips` values of a type for each program:
  /// its dimensions are the program, the iteration and those of the type.
  /// Fails, after an error at `loop`, if no bound of `trips` is known before
  /// the launch.
  virtual mlir::FailureOr<mlir::Value>
  createArray(mlir::Operation *loop, mlir::Value trips, mlir::Type type) = 0;
};

class TransposeBuilder : public ValueBuilder {
public:
  using Operations = llvm::SmallVector<mlir::Operation *>;

  /// `tangents` has the values in which the program is linear. `updates` has
  /// the update of each array's gradient, by the array of tangents. Without
  /// `states`, no loop may need a value that it carries.
  TransposeBuilder(mlir::MLIRContext *context,
                   llvm::DenseSet<mlir::Value> tangents,
                   const llvm::DenseMap<mlir::Value, GradientUpdate> &updates,
                   LoopStates *states = nullptr)
      : ValueBuilder(mlir::UnknownLoc::get(context), context),
        tangents(std::move(tangents)), updates(updates), states(states) {}

  /// Returns the states of loops; null if there are none.
  LoopStates *getStates() const { return states; }

  /// Whether a value is a tangent, or an array of tangents.
  bool isTangent(mlir::Value value) const { return tangents.contains(value); }

  /// Adds to the cotangent of a tangent; null is zero.
  void addCotangent(mlir::Value tangent, mlir::Value cotangent);
  /// Returns the cotangent of a tangent, null if it is zero, and makes it zero.
  mlir::Value takeCotangent(mlir::Value tangent);

  /// Returns how the gradient of an array is updated.
  GradientUpdate getUpdate(mlir::Value array) const;

  /// Transposes the linear operations of the block in reverse order. The new
  /// operations are inserted before the block's terminator. The caller must
  /// have added the cotangents of the values that the terminator passes on.
  /// Returns the linear operations, which the caller erases by eraseLinear.
  /// Emits an error and fails at an operation without a transpose.
  mlir::FailureOr<Operations> transpose(mlir::Block &block);

  /// Erases linear operations that have been transposed.
  /// @pre only they use their results that are tangents.
  void eraseLinear(const Operations &operations);

  /// Transposes a region that becomes one of another operation: `body` is the
  /// block of its operations, `captured` are the tangents from outside that
  /// they use. `addCotangents` adds the cotangents of the values that the
  /// terminator passes on. Returns the cotangents of `captured` in the block,
  /// null for zero. The linear operations and the terminator are erased, so
  /// that the block has none.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  transposeBody(mlir::Block &body, mlir::ValueRange captured,
                llvm::function_ref<void(mlir::Operation *)> addCotangents);

  /// Returns the tangents from outside of the regions of an operation, without
  /// arrays, that it uses in them.
  llvm::SmallVector<mlir::Value> listCaptured(mlir::Operation *op) const;

private:
  bool isLinear(mlir::Operation *op) const;
  Operations listLinear(mlir::Block &block) const;
  llvm::LogicalResult transpose(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> tangents;
  const llvm::DenseMap<mlir::Value, GradientUpdate> &updates;
  LoopStates *states;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

} // namespace tile

#endif // TILE_GRADIENT_TRANSPOSEBUILDER_H
