// MessageStream.h - reads and writes messages of the language server protocol
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_MESSAGESTREAM_H
#define TILE_TOOLS_TILELSPSERVER_MESSAGESTREAM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <mutex>
#include <string>

namespace tile::lspserver {

/// Calls `handle` with the text of each message until the stream ends. Input
/// that is not a message is skipped; the text may be invalid JSON.
void readMessages(std::FILE *in, llvm::lsp::JSONStreamStyle style,
                  llvm::function_ref<void(llvm::StringRef)> handle);

/// Whether arrays and objects in a text are nested deeper than in any valid
/// message: parsing them would need a stack of that depth.
bool nestsDeeply(llvm::StringRef text);

/// Writes messages atomically, from any thread. It is no error if nobody reads
/// them.
class MessageWriter {
public:
  /// @param pretty JSON on several lines
  explicit MessageWriter(int descriptor, bool pretty = false);

  void write(llvm::StringRef text);
  void write(const llvm::json::Value &message);
  /// Writes a notification.
  void notify(llvm::StringRef method, llvm::json::Value params);
  /// Closes the descriptor, unless it belongs to a standard stream.
  void close();

private:
  std::mutex mutex;
  llvm::raw_fd_ostream os;
  bool pretty;
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_MESSAGESTREAM_H
