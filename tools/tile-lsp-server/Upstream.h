// Upstream.h - MLIR's own language server, as a process behind ours
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's server is one call that takes over the process: its command line,
// standard input and standard output. So it has a process of its own, which is
// this program again, and what it cannot do is added to its messages.

#ifndef TILE_TOOLS_TILELSPSERVER_UPSTREAM_H
#define TILE_TOOLS_TILELSPSERVER_UPSTREAM_H

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <optional>
#include <string>
#include <sys/types.h>

namespace tile::lspserver {

/// Whether the command line is that of such a process.
bool isUpstream(int argc, char **argv);

/// MLIR's server with the dialects of tile programs. Gives its exit code.
int runUpstream(int argc, char **argv);

/// The process, and pipes to it. It ends by itself where the requests do.
struct Upstream {
  pid_t process;
  /// A descriptor to write to.
  int requests;
  std::FILE *answers;

  /// Starts it. None with `error` where the system refuses.
  /// @param program the path of this program
  /// @param log the value of its option --log; empty for its default
  static std::optional<Upstream> start(const std::string &program,
                                       llvm::StringRef log, std::string &error);

  /// Waits for its end: its exit code, 1 after a signal, which is said on
  /// standard error.
  int wait();
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_UPSTREAM_H
