// ParseProgram.cpp - a tile program from a file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/ParseProgram.h"

#include "ReadBytecode.h"
#include "TextNesting.h"
#include "tile/IR/ProgramFormat.h"
#include "tile/Target/BuildMetadata.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile;

/// Names each argument of `kernel` as in the text. The names of all arguments
/// are set together, since the context keeps each list of attributes for ever.
static void nameArguments(KernelOp kernel, const AsmParserState &state) {
  const auto *block = state.getBlockDef(&kernel.getBody().front());
  if (!block)
    return;
  SmallVector<DictionaryAttr> attributes;
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    attributes.push_back(kernel.getArgAttrDict(index));
  for (auto [index, argument] : llvm::enumerate(block->arguments)) {
    SMRange range = argument.loc;
    if (!range.isValid() || index >= attributes.size() ||
        kernel.getArgAttr(index, kArgumentNameAttr))
      continue;
    const char *begin = range.Start.getPointer();
    StringRef name(begin, range.End.getPointer() - begin);
    name.consume_front("%");
    NamedAttrList own(attributes[index]);
    own.set(kArgumentNameAttr, StringAttr::get(kernel.getContext(), name));
    attributes[index] = own.getDictionary(kernel.getContext());
  }
  kernel.setAllArgAttrs(attributes);
}

/// Returns a handler that adds a note to errors at the end of the text. If a
/// file is truncated, the parser only reports which token it expected next.
static ScopedDiagnosticHandler noteEndOfText(const llvm::SourceMgr &sources,
                                             MLIRContext *context) {
  unsigned id = sources.getMainFileID();
  const llvm::MemoryBuffer *text = sources.getMemoryBuffer(id);
  auto end = sources.getLineAndColumn(
      SMLoc::getFromPointer(text->getBuffer().rtrim().end()), id);
  return ScopedDiagnosticHandler(context, [text, end](Diagnostic &diagnostic) {
    // A location that the text specifies is in another file.
    auto location = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
    if (location &&
        location.getFilename().getValue() == text->getBufferIdentifier() &&
        std::pair(location.getLine(), location.getColumn()) >= end)
      diagnostic.attachNote() << "the text ends here";
    return failure();
  });
}

/// Parses the text in `sources`, and names the arguments of kernels as in it.
static OwningOpRef<ModuleOp> parseText(llvm::SourceMgr &sources,
                                       const ParserConfig &config) {
  Block block;
  AsmParserState state;
  ScopedDiagnosticHandler end = noteEndOfText(sources, config.getContext());
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return nullptr;
  block.walk([&](KernelOp kernel) { nameArguments(kernel, state); });
  Location loc = FileLineColLoc::get(
      config.getContext(),
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier(),
      0, 0);
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, config.getContext(), loc);
}

OwningOpRef<ModuleOp> tile::parseProgram(StringRef path, MLIRContext *context) {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &problem);
  if (!file) {
    emitError(UnknownLoc::get(context)) << problem;
    return nullptr;
  }
  return parseProgram(std::move(file), context);
}

/// Returns the reader of the file's format; null if the format is MLIR's, or
/// one that the context does not have.
static const ProgramFormatInterface *findFormat(llvm::MemoryBufferRef file,
                                                MLIRContext *context) {
  auto *format = context->getOrLoadDialect<TileDialect>()
                     ->getRegisteredInterface<ProgramFormatInterface>();
  return format && format->matches(file) ? format : nullptr;
}

OwningOpRef<ModuleOp>
tile::parseProgram(std::unique_ptr<llvm::MemoryBuffer> file,
                   MLIRContext *context) {
  if (auto *format = findFormat(file->getMemBufferRef(), context))
    return format->read(file->getMemBufferRef(), context);
  if (isBytecode(file->getMemBufferRef()))
    return readBytecode(std::move(file), context);
  if (failed(verifyText(file->getMemBufferRef(), context)))
    return nullptr;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  return parseText(sources, ParserConfig(context));
}

//===----------------------------------------------------------------------===//
// DiagnosticText
//===----------------------------------------------------------------------===//

static StringRef getSeverityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  return "";
}

/// Returns `FILE:LINE:COLUMN: ` for the first position in `loc`; empty if `loc`
/// has no position.
static std::string describeLocation(Location loc) {
  std::string text;
  if (auto location = loc->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(text)
        << location.getFilename().getValue() << ":" << location.getLine() << ":"
        << location.getColumn() << ": ";
  return text;
}

static void append(std::string &text, const Diagnostic &diagnostic) {
  llvm::raw_string_ostream(text) << describeLocation(diagnostic.getLocation())
                                 << getSeverityName(diagnostic.getSeverity())
                                 << ": " << diagnostic.str() << "\n";
}

static void appendWithNotes(std::string &text, Diagnostic &diagnostic) {
  append(text, diagnostic);
  for (Diagnostic &note : diagnostic.getNotes())
    append(text, note);
}

DiagnosticText::DiagnosticText(MLIRContext *context) : context(context) {
  handler =
      context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
        appendWithNotes(text, diagnostic);
        return success();
      });
}

DiagnosticText::~DiagnosticText() {
  context->getDiagEngine().eraseHandler(handler);
}

//===----------------------------------------------------------------------===//
// DropRepeatedDiagnostics
//===----------------------------------------------------------------------===//

DropRepeatedDiagnostics::DropRepeatedDiagnostics(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        std::string text;
        appendWithNotes(text, diagnostic);
        // Success marks the diagnostic as handled.
        return success(!seen.insert(text).second);
      }) {}
