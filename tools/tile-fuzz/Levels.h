// Levels.h - prints a program between two passes, and continues from the text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_LEVELS_H
#define TILE_TOOLS_TILEFUZZ_LEVELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>

namespace tile::fuzz {

/// The result of phases 1 to 8, and the pass after which they were interrupted.
struct Resumed {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The last pass before the program was printed.
  std::string pass;
};

/// Runs phases 1 to 8 for an architecture, but prints the program after a pass
/// that follows from the seed, often the last one, and continues with the
/// parsed text. The module is null if a pass fails or the text is not valid;
/// errors are reported.
Resumed resumeFromText(mlir::OwningOpRef<mlir::ModuleOp> module,
                       llvm::StringRef arch, uint64_t seed);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_LEVELS_H
