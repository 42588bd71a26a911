// ReadBytecode.h - a module from a file of bytecode that may be damaged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_READBYTECODE_H
#define TILE_LIB_TARGET_READBYTECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tile {

/// The module in `file`, or null after an error at the file's name. MLIR's
/// reader takes much of a file on trust: a damaged one may end it by a signal,
/// keep it busy for ever, take all memory, or spoil it unnoticed. So a child
/// process reads it, with limits, and writes it again for this one.
///
/// In a process of several threads, whose locks a child might find held, the
/// file is read at once: there, bytecode must be from a source that is trusted.
mlir::OwningOpRef<mlir::ModuleOp>
readBytecode(std::unique_ptr<llvm::MemoryBuffer> file,
             mlir::MLIRContext *context);

} // namespace tile

#endif // TILE_LIB_TARGET_READBYTECODE_H
