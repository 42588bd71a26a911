// CustomDerivative.h - derivatives that the author of a kernel states
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tile.custom_adjoint` of a kernel, and in forward mode `tile.custom_tangent`,
// names a kernel of its module that computes the derivatives, in place of one
// that is derived from the operations.

#ifndef TILE_LIB_GRADIENT_CUSTOMDERIVATIVE_H
#define TILE_LIB_GRADIENT_CUSTOMDERIVATIVE_H

#include "tile/Gradient/Gradient.h"

namespace tile {

/// Whether a kernel of the module names `kernel` as its derivative.
bool isCustomDerivative(KernelOp kernel);

/// Creates the derivative of a kernel that states one, after the kernel: a copy
/// of the kernel that the attribute names, without the results that `options`
/// does not request. Fails, after an error at the kernel or at the argument, if
/// the attribute names no kernel, if that kernel has other arguments than a
/// derived one, or if it does not compute what `options` requests.
mlir::FailureOr<KernelOp> buildCustomDerivative(KernelOp kernel,
                                                const GradientOptions &options);

} // namespace tile

#endif // TILE_LIB_GRADIENT_CUSTOMDERIVATIVE_H
