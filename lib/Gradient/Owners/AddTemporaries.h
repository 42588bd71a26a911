// AddTemporaries.h - gradients that are computed before they are added
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_ADDTEMPORARIES_H
#define TILE_LIB_GRADIENT_ADDTEMPORARIES_H

#include "../LaunchFunction.h"

#include "llvm/ADT/StringSet.h"

namespace tile {

/// Replaces a kernel that overwrites gradients, the arguments of these names,
/// by a function of the same name that adds them to arrays: it launches the
/// kernel with temporary arrays of zeros, then a kernel for each gradient that
/// adds the array to it. Fails, after an error at the kernel, if a gradient's
/// layout is not that of a temporary array.
mlir::FailureOr<mlir::Operation *>
addTemporaries(KernelOp kernel, const llvm::StringSet<> &gradients);

} // namespace tile

#endif // TILE_LIB_GRADIENT_ADDTEMPORARIES_H
