// CustomFunction.h - functions on tiles whose author states their derivatives
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tile.custom_adjoint` of a function, and in forward mode
// `tile.custom_tangent`, names a function that computes the derivatives of each
// call:
//
//   @f(x...) -> y...
//   @f_adjoint(x..., cotangents of y...) -> cotangents of x...
//   @f_tangent(x..., tangents of x...) -> tangents of y...
//
// Only values of floating-point or complex elements have cotangents and
// tangents.

#ifndef TILE_LIB_GRADIENT_CUSTOMFUNCTION_H
#define TILE_LIB_GRADIENT_CUSTOMFUNCTION_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile {

/// Returns the function that computes the adjoint of a call, or, if
/// `isForward`, its tangent. Fails, after an error at the call or at the
/// function, if the author of the called function states none, or if it has
/// another type.
mlir::FailureOr<mlir::func::FuncOp> findCustomFunction(mlir::func::CallOp call,
                                                       bool isForward);

/// Inlines all calls in a kernel. Fails, after an error, at a call that cannot
/// be inlined.
mlir::LogicalResult inlineCalls(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_CUSTOMFUNCTION_H
