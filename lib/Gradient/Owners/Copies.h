// Copies.h - copies of a gradient, to which parts of the programs add
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_COPIES_H
#define TILE_LIB_GRADIENT_COPIES_H

#include "../LaunchFunction.h"

namespace tile {

/// Returns how many of at most `parts` copies of a gradient there are, values
/// of the host: as many as have 2^24 elements in all, and at least one.
mlir::Value limitCopies(LaunchFunction &host, mlir::Value gradient,
                        mlir::Value parts);

/// Allocates `count` copies of a gradient in the type in which its elements are
/// added up: an array with one more dimension, the first one.
mlir::Value allocateCopies(LaunchFunction &host, mlir::Value gradient,
                           mlir::Value count);

/// Replaces an update of the gradient by one of the copy `part`, which only
/// this program adds to.
void addToCopy(AtomicRMWOp update, mlir::Value copies, mlir::Value part);

/// Creates a kernel `name` after `kernel` that adds up the copies in order and
/// stores the gradient, and launches it. `copies` and `gradient` are values of
/// the host.
void launchSumOfCopies(KernelOp kernel, llvm::StringRef name,
                       LaunchFunction &host, mlir::Value copies,
                       mlir::Value gradient);

} // namespace tile

#endif // TILE_LIB_GRADIENT_COPIES_H
