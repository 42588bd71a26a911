// File.h - read whole files, and replace files atomically
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_RUNTIME_FILE_H
#define TILE_RUNTIME_FILE_H

#include "tile/Runtime/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tile::runtime {

/// Returns the error text for the current value of errno.
std::string describeErrno();

/// Returns the contents of the regular file `path`. A file of more than
/// `maxBytes` is refused before anything is allocated.
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

  /// Replaces the file by this version. May be called once; no other function
  /// may be called afterwards.
  Status commit();

private:
  PendingFile() = default;

  int descriptor = -1;
  /// The path of the file to replace (with links followed), the path of the
  /// temporary file (empty if there is none), and the path that the caller
  /// gave.
  std::string target;
  std::string temporary;
  std::string path;
};

/// Checks that `path` could be written now, by trying it; nothing is changed.
Status checkWritable(const std::string &path);

} // namespace tile::runtime

#endif // TILE_RUNTIME_FILE_H
