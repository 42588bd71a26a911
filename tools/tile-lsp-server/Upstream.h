// Upstream.h - MLIR's language server as a child process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's server is one call that takes over the command line, standard input
// and standard output of its process. So it runs in a child process, which is
// this program with another command line. The parent process extends the
// messages of the child.

#ifndef TILE_TOOLS_TILELSPSERVER_UPSTREAM_H
#define TILE_TOOLS_TILELSPSERVER_UPSTREAM_H

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tile::lspserver {

/// Whether the command line is that of the child process.
bool isUpstream(int argc, char **argv);

/// Runs MLIR's server with the dialects of tile programs. Returns its exit
/// code.
int runUpstream(int argc, char **argv);

/// The child process, and pipes to it. The process ends when `requests` is
/// closed.
struct Upstream {
  pid_t process;
  /// The file descriptor to which requests are written.
  int requests;
  std::FILE *answers;

  /// Starts the process. Returns nothing and sets `error` if the system cannot
  /// start it.
  /// @param program the path of this program
  /// @param log the value of the program's option --log; empty for its default
  static std::optional<Upstream> start(const std::string &program,
                                       llvm::StringRef log, std::string &error);

  /// Waits for the end of the process. Returns its exit code, or 1 after a
  /// signal, which is reported on standard error.
  int wait();
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_UPSTREAM_H
