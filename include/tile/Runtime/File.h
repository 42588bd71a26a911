// File.h - reading files whole, replacing them at once
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_RUNTIME_FILE_H
#define TILE_RUNTIME_FILE_H

#include "tile/Runtime/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tile::runtime {

/// The words for the current value of errno.
std::string describeErrno();

/// The bytes of the regular file `path`. A file of more than `maxBytes` is
/// refused before anything is allocated.
Result<std::string> readFile(const std::string &path, int64_t maxBytes);

/// A new version of a file that nobody sees before it is complete: it is
/// written next to the file under another name, and replaces it in `commit`.
/// Without a successful `commit` nothing remains of it.
class PendingFile {
public:
  /// Opens a new version of `path`. The folder must exist; `path` must name a
  /// regular file, a link to one, or nothing yet.
  static Result<PendingFile> create(const std::string &path);

  PendingFile(PendingFile &&other);
  PendingFile &operator=(PendingFile &&other) = delete;
  ~PendingFile();

  /// Appends `size` bytes.
  Status write(const void *data, size_t size);

  /// Makes this version the file. May be called once, and nothing after it.
  Status commit();

private:
  PendingFile() = default;

  int descriptor = -1;
  /// The name to take (links followed), the name until then (empty: none), and
  /// the name that the caller gave.
  std::string target;
  std::string temporary;
  std::string path;
};

/// Whether `path` could be written now, by way of trying; nothing is changed.
Status checkWritable(const std::string &path);

} // namespace tile::runtime

#endif // TILE_RUNTIME_FILE_H
