// ParseProgram.h - a tile program from a file, with the names of its arguments
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_PARSEPROGRAM_H
#define TILE_TARGET_PARSEPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace tile {

/// Reads the tile program in the file `path`, text or bytecode, and verifies
/// it. Arguments of kernels get their names in the text, without `%`, as
/// `tile.name` (BuildMetadata.h), unless the program gives one.
///
/// Errors are reported to the diagnostic engine of `context`, at their position
/// in the file, and the result is null. Nothing is printed. A process of one
/// thread reads bytecode in a child process, which a damaged file may end; a
/// process of more threads trusts it.
mlir::OwningOpRef<mlir::ModuleOp> parseProgram(llvm::StringRef path,
                                               mlir::MLIRContext *context);

/// Reads a program from a file in memory, whose identifier is its name in
/// messages.
mlir::OwningOpRef<mlir::ModuleOp>
parseProgram(std::unique_ptr<llvm::MemoryBuffer> file,
             mlir::MLIRContext *context);

/// Collects diagnostics of a context as text while it lives: a line each,
/// `FILE:LINE:COLUMN: error: ...`, followed by notes. Collects only those of
/// the calling thread if the context is shared.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext *context);
  ~DiagnosticText();
  /// The lines so far.
  const std::string &str() const { return text; }

private:
  mlir::MLIRContext *context;
  uint64_t handler;
  std::string text;
};

/// Drops, while it lives, a diagnostic of a context that was emitted before,
/// word for word and with the same notes: the variants of a kernel give the
/// same diagnostics.
class DropRepeatedDiagnostics {
public:
  explicit DropRepeatedDiagnostics(mlir::MLIRContext *context);

private:
  llvm::StringSet<> seen;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tile

#endif // TILE_TARGET_PARSEPROGRAM_H
