// ConstantTable.h - tables of constants in module memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_CONSTANTTABLE_H
#define TILE_CONVERSION_TILETONVGPU_CONSTANTTABLE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tile {

/// Returns a memref in global memory with these elements, row by row, for the
/// kernel that `op` is in. Equal tables of a kernel share one global.
/// @pre the elements are those of a tensor.
mlir::Value createConstantTable(mlir::OpBuilder &builder, mlir::Operation *op,
                                mlir::DenseElementsAttr elements);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_CONSTANTTABLE_H
