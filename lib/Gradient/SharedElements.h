// SharedElements.h - elements of arrays that several programs load
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SHAREDELEMENTS_H
#define TILE_LIB_GRADIENT_SHAREDELEMENTS_H

#include "tile/Gradient/TransposeBuilder.h"

namespace tile {

/// Returns how the gradient of an array, an argument of a kernel, can be
/// updated without atomic operations; nothing if an element may be loaded by
/// several programs of the grid.
///
/// An access is proved to load different elements in each program and iteration
/// if each index of the program and of its loops has a dimension of the array
/// for itself, along which it moves the box by at least its extent; a loop of a
/// known number of iterations may move it along the same dimension by less.
std::optional<GradientUpdate> findUpdate(KernelOp kernel, mlir::Value array);

/// Lists the axes of a kernel's grid that may have several programs.
llvm::SmallVector<Axis> listAxes(KernelOp kernel);

/// Returns the axes among `axes` whose programs update different elements of an
/// array: of two programs with different indices along such an axis, none
/// updates an element that the other one updates.
llvm::SmallVector<Axis> findOwnerAxes(llvm::ArrayRef<Axis> axes,
                                      llvm::ArrayRef<AtomicRMWOp> updates);

/// Whether only the indices of programs along `axes` and of iterations of
/// `loops` move the box of an update.
bool isMovedOnlyBy(AtomicRMWOp update, llvm::ArrayRef<Axis> axes,
                   llvm::ArrayRef<mlir::Operation *> loops);

/// Whether an update has different elements in each iteration of a loop.
bool isMovedByLoop(AtomicRMWOp update, mlir::Operation *loop);

/// Verifies that a program stores each element of an array, an argument of a
/// kernel, at most once, so that each store has the cotangents of its elements.
/// Programs are assumed to store different elements, since there is a race
/// otherwise. An array may also be updated by scatters or atomic operations,
/// instead of stores. Fails, after an error at a store, if this is not proved.
llvm::LogicalResult verifyStoredOnce(KernelOp kernel, mlir::Value array);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SHAREDELEMENTS_H
