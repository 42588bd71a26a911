// ParsedText.cpp - a parsed program with positions in the editor's text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParsedText.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/ToolUtilities.h"

using namespace mlir;
using namespace tile;
using namespace tile::lspserver;
namespace lsp = llvm::lsp;

std::vector<std::string> lspserver::splitPrograms(llvm::StringRef text) {
  SmallVector<llvm::StringRef> parts;
  text.split(parts, kDefaultSplitMarker);
  std::vector<std::string> programs;
  size_t numLines = 0;
  for (llvm::StringRef part : parts) {
    programs.push_back(std::string(numLines, '\n') + part.str());
    numLines += part.count('\n');
  }
  return programs;
}

ParsedText::ParsedText(llvm::StringRef text, llvm::StringRef file,
                       MLIRContext *context)
    : file(file), context(context) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, file),
                             llvm::SMLoc());
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  valid = succeeded(
      parseAsmSourceFile(sources, &block, ParserConfig(context), &state));
}

llvm::StringRef ParsedText::getText() const {
  return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
}

llvm::SMLoc ParsedText::getLocation(lsp::Position position) {
  return position.getAsSMLoc(sources);
}

lsp::Range ParsedText::getRange(llvm::SMRange range) {
  return lsp::Range(sources, range);
}

std::optional<lsp::Range> ParsedText::findRange(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location part) {
    auto location = dyn_cast<FileLineColLoc>(part);
    if (!location || location.getFilename() != file)
      return WalkResult::advance();
    found = location;
    return WalkResult::interrupt();
  });
  if (!found)
    return std::nullopt;
  llvm::SMLoc start = sources.FindLocForLineAndColumn(
      sources.getMainFileID(), found.getLine(), found.getColumn());
  if (!start.isValid())
    return std::nullopt;
  return getRange(AsmParserState::convertIdLocToRange(start));
}

OwningOpRef<ModuleOp> ParsedText::takeModule() {
  for (const AsmParserState::OperationDefinition &def : state.getOpDefs()) {
    auto [line, column] = sources.getLineAndColumn(def.loc.Start);
    def.op->setLoc(FileLineColLoc::get(context, file, line, column));
  }
  // A program without a module operation is wrapped in one, as tools do.
  if (llvm::hasSingleElement(block))
    if (auto module = dyn_cast<ModuleOp>(block.front())) {
      module->remove();
      return module;
    }
  auto module = ModuleOp::create(FileLineColLoc::get(context, file, 1, 1));
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           block.getOperations());
  return module;
}
