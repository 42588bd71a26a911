// HostFunction.h - a function of tensors as launches on buffers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_HOSTFUNCTION_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_HOSTFUNCTION_H

#include "BuildKernel.h"

namespace tile::fromlinalg {

/// Returns the first of the names `stem`, `stem_1`, `stem_2`... that no symbol
/// of the module has.
std::string makeUniqueName(mlir::ModuleOp module, const std::string &stem);

/// Makes `function` launch `kernels`, in their order, on arrays: its arguments,
/// followed by arrays for its results, and arrays that it allocates. No
/// operation on tensors remains.
void buildHostFunction(mlir::func::FuncOp function, const Grouping &grouping,
                       llvm::ArrayRef<BuiltKernel> kernels);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_HOSTFUNCTION_H
