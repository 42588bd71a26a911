// MessageStream.cpp - reads and writes messages of the language server protocol
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MessageStream.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tile;
using namespace tile::lspserver;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

void lspserver::readMessages(std::FILE *in, lsp::JSONStreamStyle style,
                             llvm::function_ref<void(llvm::StringRef)> handle) {
  lsp::JSONTransportInputOverFile input(in, style);
  std::string text;
  while (!input.isEndOfInput() && !input.hasError())
    if (llvm::succeeded(input.readMessage(text)))
      handle(text);
}

bool lspserver::nestsDeeply(llvm::StringRef text) {
  constexpr int kMaxNesting = 1000;
  int nesting = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size() && nesting <= kMaxNesting; ++i) {
    char c = text[i];
    if (c == '"')
      isString = !isString;
    else if (isString)
      i += c == '\\';
    else if (c == '[' || c == '{')
      ++nesting;
    else if (c == ']' || c == '}')
      --nesting;
  }
  return nesting > kMaxNesting;
}

MessageWriter::MessageWriter(int descriptor, bool pretty)
    : os(descriptor, /*shouldClose=*/true), pretty(pretty) {}

void MessageWriter::write(llvm::StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  os << "Content-Length: " << text.size() << "\r\n\r\n" << text;
  os.flush();
  os.clear_error();
}

void MessageWriter::write(const json::Value &message) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv(pretty ? "{0:2}\n" : "{0}", message);
  write(llvm::StringRef(text));
}

void MessageWriter::notify(llvm::StringRef method, json::Value params) {
  write(json::Object{
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void MessageWriter::close() {
  std::lock_guard<std::mutex> lock(mutex);
  os.close();
}
