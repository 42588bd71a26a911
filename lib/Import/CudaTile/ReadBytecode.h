// ReadBytecode.h - a CUDA Tile program from a file of bytecode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_READBYTECODE_H
#define TILE_LIB_IMPORT_CUDATILE_READBYTECODE_H

#include "Program.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace tile::cudatile {

/// Reads the bytecode of versions 13.1 to 13.5. Texts and constants of the
/// program are in the file, which must outlive it. Returns null after an error
/// at the file's name.
std::unique_ptr<Program> readBytecode(llvm::MemoryBufferRef file,
                                      mlir::MLIRContext *context);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_READBYTECODE_H
