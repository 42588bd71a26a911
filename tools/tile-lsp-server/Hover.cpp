// Hover.cpp - describes the code at a position of a document
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subject is the operation, value, type or attribute at the position. It is
// first looked up in the parsed program, which has operations, values and
// aliases, then in the text, which is also available for types, attributes and
// programs with errors. Then the subject is described.

#include "Hover.h"

#include "LayoutText.h"
#include "ParsedText.h"
#include "tile/Registration.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::lspserver;
namespace lsp = llvm::lsp;

namespace {
/// The subject at a position, as far as it is known.
struct Subject {
  /// The range of its text.
  lsp::Range range;
  /// The name under which Documentation lists it.
  std::string name = "";
  /// The operation that is named, or whose result is named; null for types and
  /// attributes.
  Operation *op = nullptr;
  /// The type or attribute, which may have a layout.
  Type type = nullptr;
  Attribute attribute = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// In the parsed program
//===----------------------------------------------------------------------===//

/// Whether `range` contains `location`. A cursor after the last character of a
/// token is at the token too.
static bool contains(llvm::SMRange range, llvm::SMLoc location) {
  return range.isValid() && range.Start.getPointer() <= location.getPointer() &&
         location.getPointer() <= range.End.getPointer();
}

/// Returns the range of the definition or use that contains `location`.
static std::optional<llvm::SMRange>
findRange(const AsmParserState::SMDefinition &definition,
          llvm::SMLoc location) {
  if (contains(definition.loc, location))
    return definition.loc;
  for (llvm::SMRange use : definition.uses)
    if (contains(use, location))
      return use;
  return std::nullopt;
}

static Subject makeSubject(lsp::Range range, Operation *op) {
  return {range, op->getName().getStringRef().str(), op};
}

static Subject makeSubject(lsp::Range range, Value value) {
  Subject subject{range};
  if (Operation *op = value.getDefiningOp())
    subject = makeSubject(range, op);
  subject.type = value.getType();
  return subject;
}

static Subject makeSubject(lsp::Range range, Type type) {
  return {range, "!" + type.getAbstractType().getName().str(), nullptr, type};
}

static Subject makeSubject(lsp::Range range, Attribute attribute) {
  return {range, "#" + attribute.getAbstractAttribute().getName().str(),
          nullptr, nullptr, attribute};
}

static std::optional<Subject> findParsed(ParsedText &text,
                                         llvm::SMLoc location) {
  if (!text.isValid())
    return std::nullopt;
  const AsmParserState &state = text.getParserState();
  std::optional<Subject> subject;
  auto take = [&](const AsmParserState::SMDefinition &definition, auto thing) {
    if (std::optional<llvm::SMRange> range = findRange(definition, location))
      subject = makeSubject(text.getRange(*range), thing);
  };
  for (const auto &operation : state.getOpDefs()) {
    take(AsmParserState::SMDefinition(operation.loc), operation.op);
    for (const auto &group : operation.resultGroups)
      take(group.definition, operation.op->getResult(group.startIndex));
  }
  for (const auto &block : state.getBlockDefs())
    for (auto [argument, definition] :
         llvm::zip(block.block->getArguments(), block.arguments))
      take(definition, argument);
  for (const auto &alias : state.getTypeAliasDefs())
    take(alias.definition, alias.value);
  for (const auto &alias : state.getAttributeAliasDefs())
    take(alias.definition, alias.value);
  return subject;
}

//===----------------------------------------------------------------------===//
// In the text
//===----------------------------------------------------------------------===//

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.';
}

/// Returns the length of the name at the start of `text`.
static size_t getNameSize(llvm::StringRef text) {
  return text.take_while(isNameCharacter).size();
}

/// Reads the type or attribute at the start of `text`, or only its name if it
/// has errors. Sets `size` to the length of the text that is read.
static Subject readSubject(llvm::StringRef text, MLIRContext *context,
                           size_t &size) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  size = 1 + getNameSize(text.drop_front());
  Subject subject{{}, text.take_front(size).str()};
  size_t numRead = 0;
  if (text.front() == '!')
    subject.type = parseType(text, context, &numRead);
  else
    subject.attribute = parseAttribute(text, context, Type(), &numRead);
  size = std::max(size, text.take_front(numRead).rtrim().size());
  return subject;
}

/// Returns the innermost type or attribute that contains `location` and starts
/// on the same line. If there is none, returns the word at `location`.
static Subject findWritten(ParsedText &parsed, llvm::SMLoc location,
                           MLIRContext *context) {
  llvm::StringRef text = parsed.getText();
  size_t at = location.getPointer() - text.data();
  auto getRange = [&](size_t begin, size_t size) {
    auto getLoc = [&](size_t index) {
      return llvm::SMLoc::getFromPointer(text.data() + index);
    };
    return parsed.getRange({getLoc(begin), getLoc(begin + size)});
  };
  size_t lineBegin = text.take_front(at).rfind('\n') + 1;
  for (size_t begin = at + 1; begin-- > lineBegin;) {
    llvm::StringRef rest = text.substr(begin);
    if (!rest.starts_with("!tile.") && !rest.starts_with("#tile."))
      continue;
    size_t size = 0;
    Subject subject = readSubject(rest, context, size);
    subject.range = getRange(begin, size);
    if (at < begin + size)
      return subject;
  }
  size_t begin = at;
  while (begin > lineBegin && isNameCharacter(text[begin - 1]))
    --begin;
  size_t size = getNameSize(text.substr(begin));
  return {getRange(begin, size), text.substr(begin, size).str()};
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

/// Formats the types of operands and results as a line of MLIR; empty if there
/// are none.
static std::string showTypes(Operation *op) {
  if (op->getNumOperands() == 0 && op->getNumResults() == 0)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "```mlir\n(";
  llvm::interleaveComma(op->getOperandTypes(), os);
  os << ") -> (";
  llvm::interleaveComma(op->getResultTypes(), os);
  os << ")\n```";
  return text;
}

static std::string describe(const Subject &subject,
                            const Documentation &documentation) {
  llvm::SmallVector<std::string> paragraphs;
  paragraphs.push_back(showLayout(subject.type));
  paragraphs.push_back(showLayout(subject.attribute));
  llvm::StringRef documented = documentation.find(subject.name);
  if (subject.op && !documented.empty())
    paragraphs.push_back(showTypes(subject.op));
  paragraphs.push_back(documented.str());
  llvm::erase(paragraphs, "");
  return llvm::join(paragraphs, "\n\n");
}

std::optional<lsp::Hover>
lspserver::findHover(const lsp::URIForFile &uri, llvm::StringRef text,
                     lsp::Position position,
                     const Documentation &documentation) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<std::string> programs = splitPrograms(text);
  auto program = llvm::find_if(programs, [&](llvm::StringRef program) {
    return position.line <= int64_t(program.count('\n'));
  });
  if (program == programs.end())
    return std::nullopt;
  ParsedText parsed(*program, uri.file(), &context);
  llvm::SMLoc location = parsed.getLocation(position);
  if (!location.isValid())
    return std::nullopt;
  std::optional<Subject> subject = findParsed(parsed, location);
  if (!subject)
    subject = findWritten(parsed, location, &context);
  lsp::Hover hover(subject->range);
  hover.contents.value = describe(*subject, documentation);
  if (hover.contents.value.empty())
    return std::nullopt;
  return hover;
}
