// Server.cpp - extends the messages between an editor and MLIR's server
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Server.h"

#include "Hover.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tile;
using namespace tile::lspserver;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

Server::Server(Settings settings, MessageWriter &editor,
               MessageWriter &upstream)
    : editor(editor), upstream(upstream),
      queue([this](const Snapshot &snapshot,
                   std::vector<lsp::Diagnostic> diagnostics) {
        reportPhases(snapshot, std::move(diagnostics));
      }),
      settings(std::move(settings)) {}

//===----------------------------------------------------------------------===//
// From the editor
//===----------------------------------------------------------------------===//

/// Reads the parameters of a message; nothing if they are malformed, which
/// MLIR's server reports.
template <class T>
static std::optional<T> read(const json::Value &params) {
  T result;
  json::Path::Root root;
  if (fromJSON(params, result, root))
    return result;
  llvm::consumeError(root.getError());
  return std::nullopt;
}

/// Returns the text of a request's id, which may be an integer or a string.
static std::string getKey(const json::Value &id) {
  return llvm::formatv("{0}", id);
}

/// Whether MLIR's server accepts the message. Other messages would make that
/// server exit.
static bool isMessage(const json::Object &object) {
  return object.getString("jsonrpc") == "2.0" &&
         (object.getString("method") || object.get("id"));
}

void Server::handleFromEditor(llvm::StringRef text) {
  if (nestsDeeply(text))
    return refuse(lsp::ErrorCode::InvalidRequest,
                  "expected less nesting of arrays and objects");
  llvm::Expected<json::Value> message = json::parse(text);
  if (!message) {
    llvm::consumeError(message.takeError());
    return refuse(lsp::ErrorCode::ParseError, "expected JSON");
  }
  const json::Object *object = message->getAsObject();
  if (!object || !isMessage(*object))
    return refuse(lsp::ErrorCode::InvalidRequest,
                  "expected an object with \"jsonrpc\": \"2.0\", and a "
                  "\"method\" or an \"id\"");
  noteEditorMessage(*object);
  upstream.write(text);
}

/// Answers input that is not a valid message.
void Server::refuse(lsp::ErrorCode code, llvm::StringRef message) {
  editor.write(json::Object{
      {"jsonrpc", "2.0"},
      {"id", nullptr},
      {"error", json::Object{{"code", int(code)}, {"message", message}}}});
}

void Server::noteEditorMessage(const json::Object &message) {
  std::optional<llvm::StringRef> method = message.getString("method");
  const json::Value *params = message.get("params");
  if (!method || !params)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (*method == "initialize") {
    initialize(*params);
  } else if (*method == "textDocument/didOpen") {
    open(*params);
  } else if (*method == "textDocument/didChange") {
    change(*params);
  } else if (*method == "textDocument/didClose") {
    close(*params);
  } else if (*method == "textDocument/hover") {
    auto hover = read<lsp::TextDocumentPositionParams>(*params);
    if (const json::Value *id = message.get("id"); id && hover)
      hovers[getKey(*id)] = std::move(*hover);
  }
}

void Server::initialize(const json::Value &params) {
  const json::Object *object = params.getAsObject();
  const json::Value *options =
      object ? object->get("initializationOptions") : nullptr;
  if (!options || options->kind() == json::Value::Null)
    return;
  std::string error = readSettings(*options, settings);
  if (error.empty())
    return;
  constexpr int kErrorMessage = 1;
  editor.notify("window/showMessage",
                json::Object{{"type", kErrorMessage},
                             {"message", "tile-lsp-server: " + error}});
}

void Server::open(const json::Value &params) {
  auto opened = read<lsp::DidOpenTextDocumentParams>(params);
  if (!opened)
    return;
  lsp::TextDocumentItem &item = opened->textDocument;
  std::string key = item.uri.uri().str();
  documents[key].snapshot = {item.uri, item.version, std::move(item.text)};
}

/// Handles a change of the whole text, the only kind that MLIR's server
/// requests.
void Server::change(const json::Value &params) {
  auto changed = read<lsp::DidChangeTextDocumentParams>(params);
  if (!changed || changed->contentChanges.size() != 1)
    return;
  auto document = documents.find(changed->textDocument.uri.uri().str());
  if (document == documents.end())
    return;
  Snapshot &snapshot = document->second.snapshot;
  snapshot.version = changed->textDocument.version;
  snapshot.text = std::move(changed->contentChanges.front().text);
  queue.remove(snapshot.uri);
}

void Server::close(const json::Value &params) {
  auto closed = read<lsp::DidCloseTextDocumentParams>(params);
  if (!closed)
    return;
  queue.remove(closed->textDocument.uri);
  documents.erase(closed->textDocument.uri.uri().str());
}

//===----------------------------------------------------------------------===//
// From MLIR's server
//===----------------------------------------------------------------------===//

void Server::handleFromUpstream(llvm::StringRef text) {
  llvm::Expected<json::Value> message = json::parse(text);
  if (!message) {
    llvm::consumeError(message.takeError());
    return editor.write(text);
  }
  if (json::Object *object = message->getAsObject()) {
    if (object->getString("method") == "textDocument/publishDiagnostics")
      return handleDiagnostics(*object);
    if (!object->get("method"))
      addToHover(*object);
  }
  editor.write(*message);
}

static bool hasErrors(const json::Array &diagnostics) {
  return llvm::any_of(diagnostics, [](const json::Value &diagnostic) {
    const json::Object *object = diagnostic.getAsObject();
    return object && object->getInteger("severity") ==
                         int(lsp::DiagnosticSeverity::Error);
  });
}

/// Holds the mutex while it writes a message, so that an older message is never
/// written after a newer one.
void Server::handleDiagnostics(json::Object &message) {
  std::lock_guard<std::mutex> lock(mutex);
  const json::Object *params = message.getObject("params");
  const json::Array *diagnostics =
      params ? params->getArray("diagnostics") : nullptr;
  auto uri = params ? params->getString("uri") : std::nullopt;
  auto entry = documents.find(uri.value_or("").str());
  if (!diagnostics || entry == documents.end())
    return editor.write(std::move(message));

  Document &document = entry->second;
  bool isNew = *diagnostics != document.ofParser;
  document.ofParser = *diagnostics;
  // If the document has changed since, MLIR's server will send another message.
  bool runsPhases = settings.phases && !hasErrors(*diagnostics) &&
                    params->getInteger("version") == document.snapshot.version;
  if (runsPhases)
    queue.add(document.snapshot, settings);
  // Diagnostics of the previous version are shown until the phases have
  // reported the diagnostics of this version.
  if (runsPhases && document.showsPhases && !isNew)
    return;
  document.showsPhases = false;
  editor.write(std::move(message));
}

void Server::reportPhases(const Snapshot &snapshot,
                          std::vector<lsp::Diagnostic> diagnostics) {
  std::lock_guard<std::mutex> lock(mutex);
  auto entry = documents.find(snapshot.uri.uri().str());
  // A document that was closed and opened again starts with the same version.
  if (entry == documents.end() ||
      entry->second.snapshot.version != snapshot.version ||
      entry->second.snapshot.text != snapshot.text)
    return;
  Document &document = entry->second;
  document.showsPhases = !diagnostics.empty();
  json::Array all = document.ofParser;
  for (const lsp::Diagnostic &diagnostic : diagnostics)
    all.push_back(toJSON(diagnostic));
  editor.notify("textDocument/publishDiagnostics",
                json::Object{{"uri", snapshot.uri},
                             {"version", snapshot.version},
                             {"diagnostics", std::move(all)}});
}

std::optional<lsp::Hover> Server::findRequestedHover(const json::Value &id) {
  std::unique_lock<std::mutex> lock(mutex);
  auto request = hovers.find(getKey(id));
  if (request == hovers.end())
    return std::nullopt;
  lsp::TextDocumentPositionParams params = std::move(request->second);
  hovers.erase(request);
  auto document = documents.find(params.textDocument.uri.uri().str());
  if (document == documents.end())
    return std::nullopt;
  Snapshot snapshot = document->second.snapshot;
  lock.unlock();
  return findHover(snapshot.uri, snapshot.text, params.position, documentation);
}

/// Appends to the answer to a hover request; leaves other answers unchanged.
void Server::addToHover(json::Object &answer) {
  const json::Value *id = answer.get("id");
  json::Value *result = answer.get("result");
  if (!id || !result)
    return;
  std::optional<lsp::Hover> added = findRequestedHover(*id);
  if (!added)
    return;
  json::Object *hover = result->getAsObject();
  json::Object *contents = hover ? hover->getObject("contents") : nullptr;
  if (!contents) {
    *result = toJSON(*added);
    return;
  }
  std::string text = contents->getString("value").value_or("").rtrim().str();
  (*contents)["value"] = text + "\n\n---\n\n" + added->contents.value;
}
