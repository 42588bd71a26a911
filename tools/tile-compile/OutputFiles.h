// OutputFiles.h - write all outputs or none
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILE_COMPILE_OUTPUTFILES_H
#define TILE_TOOLS_TILE_COMPILE_OUTPUTFILES_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tile {

/// Files that appear together: each is written beside its place under another
/// name, and all are renamed once every one is complete. A reader never sees a
/// part of a file, and a failure leaves what was there before.
class OutputFiles {
public:
  /// None is to be `input`, the program.
  explicit OutputFiles(llvm::StringRef input) : input(input) {}

  /// Whether the path is "-", standard output, or of what is there and no
  /// regular file: a pipe, a device. It is written in place.
  static bool isStream(llvm::StringRef path);
  void add(llvm::StringRef path, std::string contents);
  /// False on failure; `error` names the file and says why.
  bool write();

  std::string error;

private:
  struct File {
    std::string path;
    std::string contents;
    /// The file beside its place, until it is renamed.
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
