// TuningFile.h - measured choices for the compilation of kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/Tuning.md describes the format: a line that names the format and its
// version, then a line of JSON for each choice.

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

/// A line of the file: the kernel and the architecture that a choice is for,
/// and the values that the program leaves to the compiler.
struct TuningEntry {
  unsigned line = 0; ///< counted from 1
  std::string kernel;
  std::string arch;
  std::vector<std::string> types; ///< types of the kernel's arguments
  llvm::json::Value key = nullptr;
  std::string tiling; ///< options of -tile-warp-tiling; empty for none
  std::optional<int64_t> block;
  std::optional<int64_t> blocksPerProcessor;
};

struct TuningFile {
  std::string name;
  std::vector<TuningEntry> entries;
};

/// Reads a file, whose identifier is its name in messages. Error messages start
/// with "NAME:LINE: ".
llvm::Expected<TuningFile> parseTuningFile(llvm::MemoryBufferRef file);

/// Sets the block, and the number of blocks of a multiprocessor, of each kernel
/// of `module` to those that `file` has for the kernel and the architecture,
/// unless the program specifies them. Returns the tiling that `file` has for
/// all kernels. If `key` is not empty, it is JSON, and only entries with this
/// key are used.
///
/// It is a warning if there is no entry for the name, the argument types and
/// the architecture of a kernel. It is an error if entries have different
/// choices for one kernel, or if the tilings of kernels differ.
mlir::FailureOr<WarpTilingOptions> applyTuning(mlir::ModuleOp module,
                                               const TuningFile &file,
                                               llvm::StringRef arch,
                                               llvm::StringRef key);

} // namespace tile

#endif // TILE_TARGET_TUNINGFILE_H
