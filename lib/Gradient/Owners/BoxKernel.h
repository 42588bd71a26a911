// BoxKernel.h - kernels whose programs divide an array into boxes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_BOXKERNEL_H
#define TILE_LIB_GRADIENT_BOXKERNEL_H

#include "tile/Gradient/ValueBuilder.h"

namespace tile {

/// Chooses a box of arrays of a type, for kernels without further wishes: about
/// 8192 elements of the last two dimensions, whose rows may be short.
llvm::SmallVector<int64_t> chooseBox(mlir::MemRefType type);

/// Returns the type of a tile with the elements of such a box.
TileType getBoxTile(llvm::ArrayRef<int64_t> box, mlir::Type element);

/// A kernel of which each program along x has a box of an array.
struct BoxKernel {
  KernelOp kernel;
  /// The offsets of the program's box.
  llvm::SmallVector<mlir::Value> offsets;
};

/// Creates a kernel `name` with arguments of `types`, of which the one at
/// `divided` is the array. `box` has the extents of a box along all dimensions.
/// The builder inserts operations before the kernel's return afterwards.
BoxKernel createBoxKernel(ValueBuilder &b, llvm::StringRef name,
                          mlir::TypeRange types, unsigned divided,
                          llvm::ArrayRef<int64_t> box);

/// Returns the number of the programs along x for an array of the host.
mlir::Value countBoxes(mlir::ImplicitLocOpBuilder &b, mlir::Value array,
                       llvm::ArrayRef<int64_t> box);

/// Returns the size of an array along a dimension.
mlir::Value getSize(mlir::ImplicitLocOpBuilder &b, mlir::Value array,
                    int64_t dim);

} // namespace tile

#endif // TILE_LIB_GRADIENT_BOXKERNEL_H
