// ParsedText.h - a program in an editor, with the places of what it says
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

/// The programs of a document, between which `// -----` stands, each behind as
/// many empty lines as make its lines those of the document.
std::vector<std::string> splitPrograms(llvm::StringRef text);

/// A program and where it says what.
class ParsedText {
public:
  /// Reads and verifies a program; nothing is said of errors.
  /// @param file the name in locations
  ParsedText(llvm::StringRef text, llvm::StringRef file,
             mlir::MLIRContext *context);

  /// Whether there were no errors. What follows has no places otherwise.
  bool isValid() const { return valid; }
  const mlir::AsmParserState &getPlaces() const { return places; }

  llvm::StringRef getText() const;
  /// The place in getText(); invalid where that has no such place.
  llvm::SMLoc getPlace(llvm::lsp::Position position);
  llvm::lsp::Range getRange(llvm::SMRange range);
  /// The token at a location in the text: of several, as an operation of a
  /// called function has them, the first. None for a location elsewhere.
  std::optional<llvm::lsp::Range> findRange(mlir::Location loc);

  /// The program, whose operations are at their places in the text even if it
  /// gives them other locations. @pre isValid(), and this is the first call.
  mlir::OwningOpRef<mlir::ModuleOp> takeModule();

private:
  std::string file;
  mlir::MLIRContext *context;
  llvm::SourceMgr sources;
  mlir::Block block;
  mlir::AsmParserState places;
  bool valid;
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_PARSEDTEXT_H
