// ArgumentRoles.h - arguments of a kernel to differentiate, and to do so by
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_ARGUMENTROLES_H
#define TILE_LIB_GRADIENT_ARGUMENTROLES_H

#include "tile/Gradient/Gradient.h"

namespace tile {

/// Indices of arguments, ascending.
struct ArgumentRoles {
  llvm::SmallVector<unsigned> inputs, outputs;
  llvm::SmallVector<unsigned> saved; ///< outputs that the derivative reads
};

/// Finds the arguments that `options` names. Fails, after an error at the
/// kernel, if one does not exist, is no array of differentiable elements, or is
/// accessed in another way than its role requires.
mlir::FailureOr<ArgumentRoles> findRoles(KernelOp kernel,
                                         const GradientOptions &options);

/// Whether an operation only adds to elements of an array, in any order, so
/// that nothing depends on the values before.
bool isAddition(mlir::Operation *op);

/// Whether the kernel reads an array, and whether it writes it, also by views.
/// An addition is a write.
struct ArrayAccess {
  bool reads = false, writes = false;
};
ArrayAccess getArrayAccess(mlir::Value array);

/// Whether an array is an argument of a kernel that does not write it, so that
/// a load of it may move.
bool isReadOnlyArgument(mlir::Value array);

/// Ends the name of an array of gradients, after that of its input.
constexpr llvm::StringLiteral kGradientSuffix = "__gradient";

/// Returns the name of the input whose gradients are in an array, an argument
/// of the kernel of gradients.
std::string getInputName(KernelOp kernel, unsigned gradients);

/// Returns the name of a kernel's derivative. Fails, after an error at the
/// kernel, if the module has a symbol of that name.
mlir::FailureOr<std::string> findDerivativeName(KernelOp kernel,
                                                DerivativeMode mode);

/// Returns the name of an argument, or its index as text if it has none.
std::string getArgumentName(KernelOp kernel, unsigned argument);

} // namespace tile

#endif // TILE_LIB_GRADIENT_ARGUMENTROLES_H
