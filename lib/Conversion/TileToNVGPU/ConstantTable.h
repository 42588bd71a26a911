// ConstantTable.h - tables of constants in module memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_CONSTANTTABLE_H
#define TILE_CONVERSION_TILETONVGPU_CONSTANTTABLE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tile {

/// Returns a memref in global memory with `elements`, in row-major order, for
/// the kernel that contains `op`. Equal tables of a kernel share one global.
/// @pre `elements` has a tensor type.
mlir::Value createConstantTable(mlir::OpBuilder &builder, mlir::Operation *op,
                                mlir::DenseElementsAttr elements);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_CONSTANTTABLE_H
