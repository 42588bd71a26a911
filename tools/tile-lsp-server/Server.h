// Server.h - what is added to the messages between an editor and MLIR's server
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every message goes on to the other side as it is, but for what is none, which
// is answered with an error, and for two kinds from MLIR's server:
//
//   answers to textDocument/hover           what Hover.h finds is appended
//   textDocument/publishDiagnostics         what Phases.h finds follows, in a
//                                           message of its own with both
//
// The phases run for a version of a document that MLIR's server has found to be
// without errors. Their diagnostics are sent if that is the document's version
// still.

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

  /// Takes a message; the two may be called from different threads.
  void handleFromEditor(llvm::StringRef text);
  void handleFromUpstream(llvm::StringRef text);

private:
  struct Document {
    Snapshot snapshot;
    /// What MLIR's server said of it last.
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
  /// What is to be added to the answer to a request.
  std::optional<llvm::lsp::Hover>
  findRequestedHover(const llvm::json::Value &id);

  MessageWriter &editor, &upstream;
  const Documentation documentation;
  PhaseQueue queue;

  std::mutex mutex;
  // What follows is guarded by it.
  Settings settings;
  /// Open ones by URI.
  std::map<std::string, Document> documents;
  /// Requests that MLIR's server has not answered, by their identifiers.
  std::map<std::string, llvm::lsp::TextDocumentPositionParams> hovers;
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_SERVER_H
