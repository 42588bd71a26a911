// RowKernel.h - kernels whose programs divide the rows of an array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_ROWKERNEL_H
#define TILE_LIB_GRADIENT_ROWKERNEL_H

#include "tile/Gradient/ValueBuilder.h"

namespace tile {

/// A kernel of which each program along x has a part of a row of an array,
/// `columns` elements along the last dimension.
struct RowKernel {
  KernelOp kernel;
  /// The offsets of the program's part.
  llvm::SmallVector<mlir::Value> offsets;
};

/// Creates a kernel `name` with arguments of `types`, of which the one at
/// `divided` is the array. The builder inserts operations before its return
/// afterwards.
RowKernel createRowKernel(ValueBuilder &b, llvm::StringRef name,
                          mlir::TypeRange types, unsigned divided,
                          int64_t columns);

/// Returns the number of the programs along x for an array of the host.
mlir::Value countRowPrograms(mlir::ImplicitLocOpBuilder &b, mlir::Value array,
                             int64_t columns);

/// Returns the size of an array along a dimension.
mlir::Value getSize(mlir::ImplicitLocOpBuilder &b, mlir::Value array,
                    int64_t dim);

} // namespace tile

#endif // TILE_LIB_GRADIENT_ROWKERNEL_H
