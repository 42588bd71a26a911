// BuildKernel.h - the kernel of a group
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_BUILDKERNEL_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_BUILDKERNEL_H

#include "Groups.h"
#include "KernelBuilder.h"

namespace tile::fromlinalg {

/// A kernel, and the host values that are passed as its arguments: tensors, of
/// which the memory is passed, and scalars.
struct BuiltKernel {
  KernelOp kernel;
  llvm::SmallVector<mlir::Value> arguments;
};

/// Builds the kernel of group `groupIndex`, called `name`, before `function`.
/// Its arguments are the values that it reads, in the order in which it reads
/// them, and its outputs.
BuiltKernel buildKernel(mlir::func::FuncOp function, const Grouping &grouping,
                        int64_t groupIndex, llvm::StringRef name);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_BUILDKERNEL_H
