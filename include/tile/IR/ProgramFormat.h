// ProgramFormat.h - programs in formats other than MLIR's
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PROGRAMFORMAT_H
#define TILE_IR_PROGRAMFORMAT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tile {

/// Reads programs of another format. A registry attaches it to the tile
/// dialect, so that parseProgram takes such files, and only users of the format
/// link its reader.
class ProgramFormatInterface
    : public mlir::DialectInterface::Base<ProgramFormatInterface> {
public:
  explicit ProgramFormatInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Whether the first bytes of the file are those of the format.
  virtual bool matches(llvm::MemoryBufferRef file) const = 0;
  /// Returns the program; null after an error. The file may be damaged.
  virtual mlir::OwningOpRef<mlir::ModuleOp>
  read(llvm::MemoryBufferRef file, mlir::MLIRContext *context) const = 0;
};

} // namespace tile

#endif // TILE_IR_PROGRAMFORMAT_H
