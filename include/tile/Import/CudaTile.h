// CudaTile.h - programs of CUDA Tile IR, from their bytecode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IMPORT_CUDATILE_H
#define TILE_IMPORT_CUDATILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

namespace tile {

/// The first bytes of a file of CUDA Tile bytecode.
inline constexpr llvm::StringRef kCudaTileMagic("\x7fTileIR", 8);

/// Returns a module with a `tile.kernel` for each entry of a CUDA Tile program,
/// whose bytecode is of versions 13.1 to 13.5 and may be damaged. Locations are
/// those of the source that the file has, so that messages name its lines.
///
/// Returns null after an error: at the file's name if the bytecode is damaged,
/// and at the operation's line if it cannot be translated.
mlir::OwningOpRef<mlir::ModuleOp> importCudaTile(llvm::MemoryBufferRef file,
                                                 mlir::MLIRContext *context);

/// Makes parseProgram (tile/Target/ParseProgram.h) read files of CUDA Tile
/// bytecode in contexts of the registry.
void registerCudaTileFormat(mlir::DialectRegistry &registry);

/// Prints the operations of CUDA Tile IR as CSV: the name, the version of the
/// bytecode since which it is there, and whether it has a translation, for some
/// of its forms at least.
void printCudaTileOperations(llvm::raw_ostream &os);

} // namespace tile

#endif // TILE_IMPORT_CUDATILE_H
