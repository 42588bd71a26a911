// ReadBytecode.h - a module from a file of bytecode that may be damaged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_READBYTECODE_H
#define TILE_LIB_TARGET_READBYTECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tile {

/// Returns the module in `file`, or null after an error at the file's name.
/// MLIR's reader does not verify all of a file: a damaged file may crash it,
/// keep it busy for ever, exhaust the memory, or corrupt the process. A child
/// process with limits therefore reads the file and writes it again for this
/// process.
///
/// If this process has several threads, the file is read in this process, since
/// locks might be held in a child for ever. Bytecode must then be from a
/// trusted source.
mlir::OwningOpRef<mlir::ModuleOp>
readBytecode(std::unique_ptr<llvm::MemoryBuffer> file,
             mlir::MLIRContext *context);

} // namespace tile

#endif // TILE_LIB_TARGET_READBYTECODE_H
