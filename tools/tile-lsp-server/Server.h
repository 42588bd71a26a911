// Server.h - extends the messages between an editor and MLIR's server
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Valid messages are forwarded unchanged, except for two kinds of messages from
// MLIR's server. Invalid messages of the editor are answered with an error.
//
//   answers to textDocument/hover           the hover of Hover.h is appended
//   textDocument/publishDiagnostics         followed by another message that
//                                           includes the diagnostics of
//                                           Phases.h
//
// The phases run for a version of a document in which MLIR's server has found
// no errors. Their diagnostics are sent if the document still has that version.

#ifndef TILE_TOOLS_TILELSPSERVER_SERVER_H
#define TILE_TOOLS_TILELSPSERVER_SERVER_H

#include "MessageStream.h"
#include "PhaseQueue.h"
#include "Settings.h"

#include "tile/Documentation/Documentation.h"

#include "llvm/Support/LSP/Protocol.h"

#include <map>
#include <mutex>
#include <string>

namespace tile::lspserver {

class Server {
public:
  Server(Settings settings, MessageWriter &editor, MessageWriter &upstream);

  /// Handle a message from one side. The two functions may be called from
  /// different threads.
  void handleFromEditor(llvm::StringRef text);
  void handleFromUpstream(llvm::StringRef text);

private:
  struct Document {
    Snapshot snapshot;
    /// The last diagnostics that MLIR's server has sent for the document.
    llvm::json::Array ofParser;
    /// Whether the editor shows diagnostics of phases.
    bool showsPhases = false;
  };

  void refuse(llvm::lsp::ErrorCode code, llvm::StringRef message);
  void noteEditorMessage(const llvm::json::Object &message);
  void initialize(const llvm::json::Value &params);
  void open(const llvm::json::Value &params);
  void change(const llvm::json::Value &params);
  void close(const llvm::json::Value &params);

  void handleDiagnostics(llvm::json::Object &message);
  void reportPhases(const Snapshot &snapshot,
                    std::vector<llvm::lsp::Diagnostic> diagnostics);
  void addToHover(llvm::json::Object &answer);
  /// Returns the hover to add to the answer to the request `id`; nothing if it
  /// was no hover request.
  std::optional<llvm::lsp::Hover>
  findRequestedHover(const llvm::json::Value &id);

  MessageWriter &editor, &upstream;
  const Documentation documentation;
  PhaseQueue queue;

  std::mutex mutex;
  // The mutex guards the following members.
  Settings settings;
  /// Open documents by URI.
  std::map<std::string, Document> documents;
  /// Requests that MLIR's server has not answered, by their identifiers.
  std::map<std::string, llvm::lsp::TextDocumentPositionParams> hovers;
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_SERVER_H
