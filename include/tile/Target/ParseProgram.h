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

/// Reads the tile program in the file `path`, and verifies it: text, bytecode,
/// or another format that the context has (tile/IR/ProgramFormat.h). Each
/// argument of a kernel gets its name in the text, without `%`, as the
/// attribute `tile.name` (BuildMetadata.h), unless the program already has one.
///
/// Errors are reported to the diagnostic engine of `context`, at their position
/// in the file, and the result is null. Nothing is printed. Damaged bytecode
/// may crash MLIR's reader. A process with one thread therefore reads bytecode
/// in a child process; a process with more threads reads it directly, and must
/// trust it.
mlir::OwningOpRef<mlir::ModuleOp> parseProgram(llvm::StringRef path,
                                               mlir::MLIRContext *context);

/// Reads a program from a file in memory, whose identifier is its name in
/// messages.
mlir::OwningOpRef<mlir::ModuleOp>
parseProgram(std::unique_ptr<llvm::MemoryBuffer> file,
             mlir::MLIRContext *context);

/// Collects diagnostics of a context as text during its lifetime: a line
/// `FILE:LINE:COLUMN: error: ...` for each, followed by its notes. If the
/// context is shared, collects only diagnostics of the calling thread.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext *context);
  ~DiagnosticText();
  /// Returns the lines so far.
  const std::string &str() const { return text; }

private:
  mlir::MLIRContext *context;
  uint64_t handler;
  std::string text;
};

/// Drops, during its lifetime, diagnostics of a context that repeat an earlier
/// one with the same text and notes: the variants of a kernel cause the same
/// diagnostics.
class DropRepeatedDiagnostics {
public:
  explicit DropRepeatedDiagnostics(mlir::MLIRContext *context);

private:
  llvm::StringSet<> seen;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tile

#endif // TILE_TARGET_PARSEPROGRAM_H
