// ElementAccess.h - an element of 64 or 128 bits by one instruction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTACCESS_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTACCESS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// Makes an access to an i64 or a complex element in global or shared memory
/// one instruction. Elements are aligned to their size
/// (lib/Runtime/Arguments.cpp), whereas MLIR's default data layout assumes half
/// of this alignment for an i64, and the alignment of one part for a complex
/// element. May replace the operation.
void accessWhole(mlir::LLVM::LoadOp load);
void accessWhole(mlir::LLVM::StoreOp store);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_ELEMENTACCESS_H
