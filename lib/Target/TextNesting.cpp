// TextNesting.cpp - a limit for the nesting in a text of MLIR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text is read as words and brackets, without their meaning: strings and
// comments are skipped, and a closing bracket closes the innermost open bracket
// of any kind.

#include "TextNesting.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>

using namespace mlir;
using namespace tile;

namespace {
class TextScanner {
public:
  explicit TextScanner(StringRef text) : text(text), rest(text) {}

  /// Scans the text to its end or to the first error. Returns the error, or an
  /// empty string.
  std::string run();
  /// The position where the last word starts.
  size_t getPosition() const { return position; }

private:
  void readWord();
  void readString();
  void readIdentifier();
  void readAlias();
  void readPunctuation();
  bool isDefinition() const;
  void endDefinition();
  void rememberWord(StringRef read);
  bool isIndex(StringRef type) const {
    return type == "index" || indexAliases.contains(type);
  }
  /// Whether the last three words start an array of index.
  bool isArrayOfIndex() const {
    return lastWords[0] == "array" && lastWords[1] == "<" &&
           isIndex(lastWords[2]);
  }
  void reach(int64_t nesting) { deepest = std::max(deepest, nesting); }

  StringRef text, rest;
  size_t position = 0;
  int64_t nesting = 0, operators = 0;
  /// Maximum nesting of the definition that is being read, so far.
  int64_t deepest = 0;
  std::string defined;
  llvm::StringMap<int64_t> nestingOf;
  std::array<StringRef, 3> lastWords;
  llvm::StringSet<> indexAliases;
};
} // namespace

static bool isOfIdentifier(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

void TextScanner::readString() {
  rest = rest.drop_front();
  while (!rest.empty() && rest.front() != '"' && rest.front() != '\n')
    rest = rest.drop_front(
        rest.front() == '\\' ? std::min<size_t>(2, rest.size()) : 1);
  if (rest.starts_with("\""))
    rest = rest.drop_front();
  operators = 0;
}

void TextScanner::readIdentifier() {
  StringRef word = rest.take_while(isOfIdentifier);
  rest = rest.drop_front(word.size());
  if (word == "floordiv" || word == "ceildiv" || word == "mod")
    ++operators;
}

/// Whether the word that was just read is defined here: `=` follows, not `==`,
/// outside of brackets.
bool TextScanner::isDefinition() const {
  StringRef next = rest.ltrim();
  return nesting == 0 && next.starts_with("=") && !next.starts_with("==");
}

void TextScanner::endDefinition() {
  if (!defined.empty())
    nestingOf[defined] = deepest;
  defined.clear();
  deepest = 0;
}

/// Reads `#name` or `!name`, either the name in the definition of an alias or a
/// use of an alias. A use counts with the nesting of the definition.
void TextScanner::readAlias() {
  StringRef name = rest.take_front(
      1 + rest.drop_front()
              .take_while([](char c) { return isOfIdentifier(c) || c == '-'; })
              .size());
  rest = rest.drop_front(name.size());
  operators = 0;
  if (!isDefinition()) {
    reach(nesting + nestingOf.lookup(name));
    return;
  }
  rest = rest.ltrim().drop_front().ltrim();
  endDefinition();
  defined = name.str();
}

void TextScanner::readPunctuation() {
  char c = rest.front();
  for (StringRef pair : {"->", ">=", "<=", "=="})
    if (rest.starts_with(pair)) {
      rest = rest.drop_front(2);
      return;
    }
  rest = rest.drop_front();
  if (StringRef("([{<").contains(c))
    reach(++nesting);
  else if (StringRef(")]}>").contains(c))
    nesting = std::max<int64_t>(nesting - 1, 0);
  else if (StringRef("+-*").contains(c))
    ++operators;
  else if (StringRef(",:=@^").contains(c))
    operators = 0;
  // A definition ends at the end of its line, or of the line of its last
  // bracket.
  if (c == '\n' && nesting == 0)
    endDefinition();
}

void TextScanner::readWord() {
  char c = rest.front();
  bool isNamed = rest.size() > 1 && isOfIdentifier(rest[1]);
  if (c == '"')
    readString();
  else if (rest.starts_with("//"))
    rest = rest.drop_until([](char next) { return next == '\n'; });
  else if ((c == '#' || c == '!') && isNamed)
    readAlias();
  else if (isOfIdentifier(c))
    readIdentifier();
  else
    readPunctuation();
}

/// Records `read`, the text of one word, or the name in a definition `!name =`.
/// The definition `!name = index` makes the name an alias of index.
void TextScanner::rememberWord(StringRef read) {
  StringRef word = read.split('=').first.trim();
  if (word.empty() || word.starts_with("//"))
    return;
  bool isDefined = !defined.empty() && lastWords.back() == defined;
  if (isDefined && isIndex(word))
    indexAliases.insert(defined);
  std::rotate(lastWords.begin(), lastWords.begin() + 1, lastWords.end());
  lastWords.back() = word;
}

std::string TextScanner::run() {
  while (!rest.empty()) {
    position = text.size() - rest.size();
    readWord();
    rememberWord(text.slice(position, text.size() - rest.size()));
    if (isArrayOfIndex())
      return "expected an array of integers or floating-point numbers, got one "
             "of index";
    if (std::max(nesting, deepest) > kMostNesting)
      return llvm::formatv(
          "expected brackets that nest at most {0} deep, got more",
          kMostNesting);
    if (operators > kMostOperators)
      return llvm::formatv(
          "expected expressions of at most {0} operators, got more",
          kMostOperators);
    if (defined.empty())
      deepest = 0;
  }
  return {};
}

LogicalResult tile::verifyText(llvm::MemoryBufferRef text,
                               MLIRContext *context) {
  TextScanner scanner(text.getBuffer());
  std::string problem = scanner.run();
  if (problem.empty())
    return success();
  StringRef before = text.getBuffer().take_front(scanner.getPosition());
  size_t lineBegin = before.rfind('\n') + 1;
  return emitError(FileLineColLoc::get(context, text.getBufferIdentifier(),
                                       unsigned(before.count('\n') + 1),
                                       unsigned(before.size() - lineBegin + 1)))
         << problem;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

namespace {
/// Computes the depth of attributes, types and locations, each once.
class AttributeNesting {
public:
  int64_t get(Attribute attribute) { return find(attribute); }
  int64_t get(Type type) { return find(type); }

private:
  template <typename T>
  int64_t find(T element) {
    if (!element)
      return 0;
    const void *key = element.getAsOpaquePointer();
    if (auto known = nestings.find(key); known != nestings.end())
      return known->second;
    int64_t nesting = 0;
    element.walkImmediateSubElements(
        [&](Attribute part) { nesting = std::max(nesting, get(part)); },
        [&](Type part) { nesting = std::max(nesting, get(part)); });
    return nestings[key] = nesting + 1;
  }

  llvm::DenseMap<const void *, int64_t> nestings;
};
} // namespace

static int64_t getDepth(Operation *op) {
  int64_t depth = 0;
  while ((op = op->getParentOp()))
    ++depth;
  return depth;
}

LogicalResult tile::verifyNesting(ModuleOp module) {
  AttributeNesting attributes;
  int64_t deepest = 0;
  module.walk([&](Operation *op) {
    int64_t own = std::max(attributes.get(Attribute(op->getLoc())),
                           attributes.get(op->getAttrDictionary()));
    for (Type type : op->getResultTypes())
      own = std::max(own, attributes.get(type));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          own = std::max(own, attributes.get(type));
    bool isLeaf = llvm::all_of(op->getRegions(), [](Region &region) {
      return llvm::all_of(region, [](Block &block) { return block.empty(); });
    });
    deepest = std::max({deepest, own, isLeaf ? getDepth(op) : 0});
  });
  if (deepest <= kMostNesting)
    return success();
  return module.emitError("expected regions and attributes that nest at most ")
         << kMostNesting << " deep, got " << deepest;
}
