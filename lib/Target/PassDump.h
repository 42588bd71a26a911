// PassDump.h - the IR after each pass, as files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_PASSDUMP_H
#define TILE_LIB_TARGET_PASSDUMP_H

#include "mlir/Support/LLVM.h"

#include "tile/Report/PassText.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class PassManager;
}

namespace tile {

/// A directory for files, created if it is missing. With an empty path nothing
/// is written.
class DumpDirectory {
public:
  explicit DumpDirectory(llvm::StringRef path) : path(path) {}

  bool isActive() const { return !path.empty(); }
  /// Creates the directory; returns false on failure, with the reason in
  /// `error`.
  bool create();
  /// Writes a file in the directory; returns false on failure, with the reason
  /// in `error`.
  bool write(llvm::StringRef name, llvm::StringRef contents);
  /// Makes `passes` write the IR after each pass to a file `NN_PASS.mlir`, or
  /// `NN_PASS_KERNEL.mlir` for a pass on one kernel, and add the text to
  /// `kept`, which may be null.
  /// @pre the directory and `kept` outlive the pass manager.
  void addTo(mlir::PassManager &passes, std::vector<PassText> *kept);

  std::string error;

private:
  friend struct PassDump;
  std::string path;
  unsigned numPasses = 0;
};

} // namespace tile

#endif // TILE_LIB_TARGET_PASSDUMP_H
