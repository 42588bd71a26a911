// ParsedText.h - a parsed program with positions in the editor's text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_PARSEDTEXT_H
#define TILE_TOOLS_TILELSPSERVER_PARSEDTEXT_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/SourceMgr.h"

#include <optional>
#include <string>
#include <vector>

namespace tile::lspserver {

/// Splits a document at `// -----` into programs. Each is preceded by empty
/// lines so that its line numbers are those of the document.
std::vector<std::string> splitPrograms(llvm::StringRef text);

/// A parsed program with the positions of its elements in the text.
class ParsedText {
public:
  /// Parses and verifies a program; errors are not reported.
  /// @param file the name in locations
  ParsedText(llvm::StringRef text, llvm::StringRef file,
             mlir::MLIRContext *context);

  /// Whether there were no errors. If there were errors, getParserState() has
  /// no positions.
  bool isValid() const { return valid; }
  const mlir::AsmParserState &getParserState() const { return state; }

  llvm::StringRef getText() const;
  /// Returns the position in getText(); invalid if it is outside the text.
  llvm::SMLoc getLocation(llvm::lsp::Position position);
  llvm::lsp::Range getRange(llvm::SMRange range);
  /// Returns the range of the token at `loc`. If `loc` consists of several
  /// locations, such as a call site and the operation of the called function,
  /// takes the first one that is in the text. Returns nothing if none is in the
  /// text.
  std::optional<llvm::lsp::Range> findRange(mlir::Location loc);

  /// Returns the program. The locations of its operations are their positions
  /// in the text, even if the text specifies other locations. @pre isValid(),
  /// and this is the first call.
  mlir::OwningOpRef<mlir::ModuleOp> takeModule();

private:
  std::string file;
  mlir::MLIRContext *context;
  llvm::SourceMgr sources;
  mlir::Block block;
  mlir::AsmParserState state;
  bool valid;
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_PARSEDTEXT_H
