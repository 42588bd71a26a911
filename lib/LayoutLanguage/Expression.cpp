// Expression.cpp - the language of tile-layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/LayoutLanguage/Expression.h"

#include "tile/LayoutLanguage/Functions.h"

#include "tile/Layout/Print.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using namespace tile::layoutlanguage;

namespace {
/// Parses an expression from the left and evaluates it. Keeps the first error.
class Evaluator {
public:
  Evaluator(std::string_view text, ExpressionError &error)
      : text(text), error(error) {}

  /// Evaluates the whole text.
  std::optional<Value> run();

private:
  std::optional<Value> parseExpression();
  std::optional<Value> parseTerm();
  std::optional<Value> parseAtom();
  std::optional<Value> parseInteger();
  std::optional<Value> parseParentheses();
  std::optional<Value> parseTilers();
  std::optional<Value> parseName();
  std::optional<Value> parseCall(const Function &function, size_t start);
  std::optional<Value> parseAttribute();
  std::optional<Value> parseRegister(size_t start);
  std::optional<Value> parseShared();
  /// '<' b ',' m ',' s '>'.
  std::optional<Swizzle> parseSwizzle(size_t start);
  std::optional<int64_t> parseInt64();
  /// Parses the content of angle brackets as a layout.
  std::optional<Layout> parseLayout();

  /// Parses several expressions up to `close`, with the position of each.
  struct Element {
    Value value;
    size_t start;
  };
  std::optional<std::vector<Element>> parseElements(char close);

  void skipBlanks() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool isNext(char token) {
    skipBlanks();
    return position < text.size() && text[position] == token;
  }
  bool consume(char token) {
    if (!isNext(token))
      return false;
    ++position;
    return true;
  }
  /// Takes `token`, or fails with `expected`.
  bool expect(char token, const char *expected);
  /// Returns the name at the current position, which may contain dots; empty if
  /// there is none.
  std::string_view peekName();
  bool consumeName(std::string_view name);
  bool expectName(std::string_view name);

  std::nullopt_t fail(size_t at, std::string message) {
    if (error.message.empty())
      error = {at, std::move(message)};
    return std::nullopt;
  }
  /// Fails at the current position; the error quotes the text there.
  std::nullopt_t failHere(const std::string &expected);
  template <class T>
  std::optional<T> take(const Result<T> &result, size_t at) {
    if (!result)
      return fail(at, result.error());
    return *result;
  }

  std::string_view text;
  ExpressionError &error;
  size_t position = 0;
  unsigned depth = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

std::nullopt_t Evaluator::failHere(const std::string &expected) {
  skipBlanks();
  std::string found = "the end";
  if (position < text.size()) {
    std::string_view name = peekName();
    found =
        "'" + std::string(name.empty() ? text.substr(position, 1) : name) + "'";
  }
  return fail(position, "expected " + expected + ", got " + found);
}

bool Evaluator::expect(char token, const char *expected) {
  if (consume(token))
    return true;
  failHere(expected);
  return false;
}

std::string_view Evaluator::peekName() {
  skipBlanks();
  size_t end = position;
  auto isNamePart = [&](char c) {
    return llvm::isAlpha(c) || c == '_' || c == '#' ||
           (end > position && (llvm::isDigit(c) || c == '.'));
  };
  while (end < text.size() && isNamePart(text[end]))
    ++end;
  return text.substr(position, end - position);
}

bool Evaluator::consumeName(std::string_view name) {
  if (peekName() != name)
    return false;
  position += name.size();
  return true;
}

bool Evaluator::expectName(std::string_view name) {
  if (consumeName(name))
    return true;
  failHere("'" + std::string(name) + "'");
  return false;
}

std::optional<int64_t> Evaluator::parseInt64() {
  skipBlanks();
  size_t start = position, end = position;
  if (end < text.size() && text[end] == '-')
    ++end;
  while (end < text.size() && llvm::isDigit(text[end]))
    ++end;
  llvm::StringRef digits(text.data() + start, end - start);
  if (digits.empty() || digits == "-")
    return failHere("an integer");
  int64_t value;
  if (digits.getAsInteger(10, value))
    return fail(start, "expected an integer of 64 bits, got " + digits.str());
  position = end;
  return value;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::optional<Value> Evaluator::run() {
  std::optional<Value> value = parseExpression();
  skipBlanks();
  if (value && position != text.size())
    return failHere("'o' or the end");
  return value;
}

std::optional<Value> Evaluator::parseExpression() {
  if (depth == kMaxNesting)
    return fail(position, "expected at most " + std::to_string(kMaxNesting) +
                              " levels of nesting");
  ++depth;
  std::vector<Value> terms;
  std::vector<size_t> positions;
  do {
    std::optional<Value> term = parseTerm();
    if (!term)
      return std::nullopt;
    terms.push_back(*std::move(term));
    skipBlanks();
    positions.push_back(position);
  } while (consumeName("o"));
  --depth;
  // The function written last is applied first.
  Value value = terms.back();
  for (size_t i = terms.size() - 1; i-- > 0;) {
    std::optional<Value> composed =
        take(composeValues(terms[i], value), positions[i]);
    if (!composed)
      return std::nullopt;
    value = *std::move(composed);
  }
  return value;
}

std::optional<Value> Evaluator::parseTerm() {
  skipBlanks();
  size_t start = position;
  std::optional<Value> shape = parseAtom();
  if (!shape || !isNext(':'))
    return shape;
  size_t colon = position;
  consume(':');
  skipBlanks();
  size_t strideStart = position;
  std::optional<Value> stride = parseAtom();
  if (!stride)
    return std::nullopt;
  const auto *extents = std::get_if<IntTuple>(&*shape);
  const auto *strides = std::get_if<IntTuple>(&*stride);
  if (!extents)
    return fail(colon, "expected a shape before ':', got " + describe(*shape));
  if (!strides)
    return fail(strideStart, "expected strides, got " + describe(*stride));
  return take(Layout::get(*extents, *strides), start);
}

std::optional<Value> Evaluator::parseAtom() {
  skipBlanks();
  char next = position < text.size() ? text[position] : '\0';
  if (next == '(')
    return parseParentheses();
  if (next == '<')
    return parseTilers();
  if (next == '-' || llvm::isDigit(next))
    return parseInteger();
  if (next == '#')
    return parseAttribute();
  if (!peekName().empty())
    return parseName();
  return failHere("a layout");
}

std::optional<Value> Evaluator::parseInteger() {
  std::optional<int64_t> integer = parseInt64();
  if (!integer)
    return std::nullopt;
  return IntTuple(*integer);
}

std::optional<std::vector<Evaluator::Element>>
Evaluator::parseElements(char close) {
  std::vector<Element> elements;
  do {
    skipBlanks();
    size_t start = position;
    std::optional<Value> value = parseExpression();
    if (!value)
      return std::nullopt;
    elements.push_back({*std::move(value), start});
  } while (consume(','));
  std::string expected = std::string("',' or '") + close + "'";
  if (!expect(close, expected.c_str()))
    return std::nullopt;
  return elements;
}

/// Parses a tuple of integers, layouts side by side, or one expression.
std::optional<Value> Evaluator::parseParentheses() {
  size_t start = position;
  consume('(');
  std::optional<std::vector<Element>> elements = parseElements(')');
  if (!elements)
    return std::nullopt;
  const Value &first = elements->front().value;
  if (std::holds_alternative<IntTuple>(first)) {
    std::vector<IntTuple> integers;
    for (const Element &element : *elements) {
      const auto *tuple = std::get_if<IntTuple>(&element.value);
      if (!tuple)
        return fail(element.start, "expected an integer or a tuple, got " +
                                       describe(element.value));
      integers.push_back(*tuple);
    }
    return IntTuple(std::move(integers));
  }
  if (elements->size() == 1)
    return first;
  std::vector<Layout> modes;
  for (const Element &element : *elements) {
    std::optional<Value> mode =
        take(convertOperand(Kind::kLayout, element.value), element.start);
    if (!mode)
      return std::nullopt;
    modes.push_back(std::get<Layout>(*mode));
  }
  return take(concatenate(modes), start);
}

std::optional<Value> Evaluator::parseTilers() {
  consume('<');
  std::optional<std::vector<Element>> elements = parseElements('>');
  if (!elements)
    return std::nullopt;
  std::vector<Tiler> tilers;
  for (const Element &element : *elements) {
    std::optional<Value> tiler =
        take(convertOperand(Kind::kTiler, element.value), element.start);
    if (!tiler)
      return std::nullopt;
    tilers.push_back(std::get<Tiler>(*tiler));
  }
  return Tiler::list(std::move(tilers));
}

/// Parses a swizzle or a call.
std::optional<Value> Evaluator::parseName() {
  size_t start = position;
  std::string name(peekName());
  if (name == "S") {
    position += name.size();
    return parseSwizzle(start);
  }
  const Function *function = findFunction(name);
  if (!function)
    return fail(start, "expected a layout, a swizzle or a function, got '" +
                           name + "' (--help lists the functions)");
  position += name.size();
  return parseCall(*function, start);
}

std::optional<Value> Evaluator::parseCall(const Function &function,
                                          size_t start) {
  if (!expect('(', "'('"))
    return std::nullopt;
  std::optional<std::vector<Element>> elements = parseElements(')');
  if (!elements)
    return std::nullopt;
  size_t expected = function.operands.size();
  if (elements->size() != expected)
    return fail(start, "expected " + std::to_string(expected) +
                           (expected == 1 ? " operand" : " operands") + " of " +
                           function.name + ", got " +
                           std::to_string(elements->size()));
  std::vector<Value> operands;
  for (size_t i = 0; i < expected; ++i) {
    const Element &element = (*elements)[i];
    std::optional<Value> operand = take(
        convertOperand(function.operands[i], element.value), element.start);
    if (!operand)
      return std::nullopt;
    operands.push_back(*std::move(operand));
  }
  return take(function.apply(operands), start);
}

//===----------------------------------------------------------------------===//
// Swizzles and attributes
//===----------------------------------------------------------------------===//

std::optional<Swizzle> Evaluator::parseSwizzle(size_t start) {
  unsigned values[3];
  for (int i = 0; i < 3; ++i) {
    if (!expect(i == 0 ? '<' : ',', i == 0 ? "'<'" : "','"))
      return std::nullopt;
    skipBlanks();
    size_t valueStart = position;
    std::optional<int64_t> value = parseInt64();
    if (!value)
      return std::nullopt;
    if (*value < 0 || *value > 63)
      return fail(valueStart, "expected an integer from 0 to 63, got " +
                                  std::to_string(*value));
    values[i] = unsigned(*value);
  }
  if (!expect('>', "'>'"))
    return std::nullopt;
  return take(Swizzle::get(values[0], values[1], values[2]), start);
}

std::optional<Layout> Evaluator::parseLayout() {
  skipBlanks();
  size_t start = position;
  std::optional<Value> value = parseExpression();
  if (!value)
    return std::nullopt;
  std::optional<Value> layout =
      take(convertOperand(Kind::kLayout, *value), start);
  if (!layout)
    return std::nullopt;
  return std::get<Layout>(*layout);
}

std::optional<Value> Evaluator::parseAttribute() {
  size_t start = position;
  if (consumeName("#tile.swizzle"))
    return parseSwizzle(start);
  if (consumeName("#tile.register"))
    return parseRegister(start);
  if (consumeName("#tile.shared"))
    return parseShared();
  if (!consumeName("#tile.layout"))
    return failHere("#tile.layout, #tile.swizzle, #tile.register or "
                    "#tile.shared");
  if (!expect('<', "'<'"))
    return std::nullopt;
  std::optional<Layout> layout = parseLayout();
  if (!layout || !expect('>', "'>'"))
    return std::nullopt;
  return *std::move(layout);
}

std::optional<Value> Evaluator::parseRegister(size_t start) {
  if (!expect('<', "'<' and a layout"))
    return std::nullopt;
  std::optional<Layout> layout = parseLayout();
  if (!layout || !expect(',', "','") || !expectName("box") ||
      !expect('=', "'='") || !expect('[', "'['"))
    return std::nullopt;
  std::vector<int64_t> box;
  if (!isNext(']'))
    do {
      std::optional<int64_t> extent = parseInt64();
      if (!extent)
        return std::nullopt;
      box.push_back(*extent);
    } while (consume(','));
  if (!expect(']', "',' or ']'") || !expect('>', "'>'"))
    return std::nullopt;
  return take(RegisterLayout::get(*layout, std::move(box)), start);
}

std::optional<Value> Evaluator::parseShared() {
  if (!expect('<', "'<' and a layout"))
    return std::nullopt;
  std::optional<Layout> layout = parseLayout();
  if (!layout)
    return std::nullopt;
  SharedLayout shared{*std::move(layout), Swizzle()};
  while (consume(',')) {
    if (consumeName("align")) {
      // The alignment is ignored: the start of a tile is a multiple of a whole
      // row of banks, so it does not change the banks.
      if (!expect('=', "'='") || !parseInt64())
        return std::nullopt;
      continue;
    }
    skipBlanks();
    size_t start = position;
    if (!consumeName("swizzle"))
      return failHere("'swizzle' or 'align'");
    if (!expect('=', "'='"))
      return std::nullopt;
    std::optional<Swizzle> swizzle = parseSwizzle(start);
    if (!swizzle)
      return std::nullopt;
    shared.swizzle = *swizzle;
  }
  if (!expect('>', "',' or '>'"))
    return std::nullopt;
  return shared;
}

std::optional<Value>
layoutlanguage::evaluateExpression(std::string_view text,
                                   ExpressionError &error) {
  return Evaluator(text, error).run();
}
