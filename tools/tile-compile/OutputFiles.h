// OutputFiles.h - write all outputs or none
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILE_COMPILE_OUTPUTFILES_H
#define TILE_TOOLS_TILE_COMPILE_OUTPUTFILES_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tile {

/// Writes several files or none: each is written under a temporary name in its
/// directory, and all are renamed once every one is complete. A reader never
/// sees a partial file, and a failure leaves the previous files unchanged.
class OutputFiles {
public:
  /// `input` is the path of the program, which no output may overwrite.
  explicit OutputFiles(llvm::StringRef input) : input(input) {}

  /// Whether `path` is "-" (standard output) or an existing special file, such
  /// as a pipe or a device. Such an output is written directly.
  static bool isStream(llvm::StringRef path);
  void add(llvm::StringRef path, std::string contents);
  /// Returns false on failure; `error` then names the file and the reason.
  bool write();

  std::string error;

private:
  struct File {
    std::string path;
    std::string contents;
    /// The temporary file next to `path`, until it is renamed.
    std::string temporary;
  };
  bool isInput(const File &file);
  bool writeInPlace(const File &file);
  bool writeBeside(File &file);
  bool rename(File &file);
  bool fail(llvm::StringRef path, std::error_code code);

  std::string input;
  std::vector<File> files;
};

} // namespace tile

#endif // TILE_TOOLS_TILE_COMPILE_OUTPUTFILES_H
