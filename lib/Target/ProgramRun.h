// ProgramRun.h - run a program on files that do not outlive it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_PROGRAMRUN_H
#define TILE_LIB_TARGET_PROGRAMRUN_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace tile {

/// A directory in the system's temporary directory; the destructor removes it
/// with its contents.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;

  /// Whether the directory could be created; otherwise the reason is in
  /// `error`.
  bool isValid() const { return !path.empty(); }
  /// Returns the path of a file in the directory.
  std::string getFile(llvm::StringRef name) const;
  /// Writes a file in the directory; returns false on failure, with the reason
  /// in `error`.
  bool write(llvm::StringRef name, llvm::StringRef contents);
  /// Reads a file in the directory; returns false on failure, with the reason
  /// in `error`.
  bool read(llvm::StringRef name, std::string &contents);

  std::string error;

private:
  llvm::SmallString<128> path;
};

/// Runs `program` with `arguments`, which do not include its name. Returns
/// whether it exited with status 0; `messages` is its output, or the reason why
/// it could not be run.
bool runProgram(llvm::StringRef program, llvm::ArrayRef<std::string> arguments,
                TemporaryDirectory &directory, std::string &messages);

} // namespace tile

#endif // TILE_LIB_TARGET_PROGRAMRUN_H
