// Levels.h - a program taken up again from text between two passes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_LEVELS_H
#define TILE_TOOLS_TILEFUZZ_LEVELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>

namespace tile::fuzz {

/// What phases 1 to 8 leave of a program, and where they were interrupted.
struct Resumed {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The last pass before the program was printed.
  std::string pass;
};

/// Runs phases 1 to 8 for an architecture, but prints the program after a pass
/// that follows from the seed, often the last one, and goes on with what the
/// text says. The module is null where a pass fails or the text is not valid;
/// that has been reported.
Resumed resumeFromText(mlir::OwningOpRef<mlir::ModuleOp> module,
                       llvm::StringRef arch, uint64_t seed);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_LEVELS_H
