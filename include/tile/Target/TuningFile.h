// TuningFile.h - choices that were measured, for kernels that are compiled
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/Tuning.md describes a file: a line of JSON for each choice, after one
// that names the format and its version.

#ifndef TILE_TARGET_TUNINGFILE_H
#define TILE_TARGET_TUNINGFILE_H

#include "tile/Transforms/TilingOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>
#include <string>
#include <vector>

namespace tile {

/// A line of the file: what a choice is for, and of the choice what a program
/// leaves to the compiler.
struct TuningEntry {
  unsigned line = 0; ///< from 1 on
  std::string kernel;
  std::string arch;
  std::vector<std::string> types; ///< of the arguments
  llvm::json::Value key = nullptr;
  std::string tiling; ///< options of -tile-warp-tiling; empty for none
  std::optional<int64_t> block;
  std::optional<int64_t> blocksPerProcessor;
};

struct TuningFile {
  std::string name;
  std::vector<TuningEntry> entries;
};

/// Reads a file, whose identifier is its name in messages. An error starts with
/// "NAME:LINE: ".
llvm::Expected<TuningFile> parseTuningFile(llvm::MemoryBufferRef file);

/// Gives each kernel of `module` the block and the blocks of a multiprocessor
/// that `file` has for it on an architecture, unless the program specifies
/// them, and returns the tiling that it has for all of them. `key`, if not
/// empty, is the JSON of the key that entries are to have.
///
/// A kernel for whose name, argument types and architecture there is no entry
/// is a warning. Entries with different choices for one kernel, and tilings
/// that differ between kernels, are errors.
mlir::FailureOr<WarpTilingOptions> applyTuning(mlir::ModuleOp module,
                                               const TuningFile &file,
                                               llvm::StringRef arch,
                                               llvm::StringRef key);

} // namespace tile

#endif // TILE_TARGET_TUNINGFILE_H
