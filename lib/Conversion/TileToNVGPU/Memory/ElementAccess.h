// ElementAccess.h - an element of 64 or 128 bits by one instruction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTACCESS_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTACCESS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// Turns an access to an element in global or shared memory into one
/// instruction. Elements are aligned to their size (lib/Runtime/Arguments.cpp),
/// whereas MLIR's default data layout assumes half of this alignment for an
/// i64, and that of one part for a complex element. May replace the operation.
void accessWhole(mlir::LLVM::LoadOp load);
void accessWhole(mlir::LLVM::StoreOp store);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTACCESS_H
