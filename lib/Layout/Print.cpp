// Print.cpp - printing and parsing of tuples, layouts and swizzles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Print.h"

#include <limits>
#include <optional>

using namespace tile;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Appends the text of `tuple`.
static void print(const IntTuple &tuple, std::string &text) {
  if (tuple.isLeaf()) {
    text += std::to_string(tuple.value());
    return;
  }
  text += '(';
  for (size_t i = 0; i < tuple.size(); ++i) {
    if (i != 0)
      text += ',';
    print(tuple[i], text);
  }
  text += ')';
}

std::string tile::toString(const IntTuple &tuple) {
  std::string text;
  print(tuple, text);
  return text;
}

std::string tile::toString(const Layout &layout) {
  return toString(layout.shape()) + ":" + toString(layout.stride());
}

std::string tile::toString(const Swizzle &swizzle) {
  return "S<" + std::to_string(swizzle.bits) + "," +
         std::to_string(swizzle.base) + "," + std::to_string(swizzle.shift) +
         ">";
}

std::string tile::toString(const Tiler &tiler) {
  if (tiler.isLayout())
    return toString(tiler.layout());
  std::string text = "<";
  for (size_t i = 0; i < tiler.size(); ++i)
    text += (i != 0 ? "," : "") + toString(tiler[i]);
  return text + ">";
}

std::string tile::toString(const ComposedLayout &layout) {
  std::string middle =
      std::to_string(layout.offset()) + " o " + toString(layout.inner());
  const auto *swizzle = std::get_if<Swizzle>(&layout.outer());
  if (!swizzle)
    return toString(std::get<Layout>(layout.outer())) + " o " + middle;
  return swizzle->isIdentity() ? middle : toString(*swizzle) + " o " + middle;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Reads tokens from the left. The first refusal is kept, and every later call
/// fails, so callers may check once at the end.
class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  std::optional<IntTuple> parseTuple(unsigned depth = 0);
  std::optional<int64_t> parseInteger();
  /// An integer from `least` to `greatest`.
  std::optional<int64_t> parseInteger(int64_t least, int64_t greatest);
  /// Takes `token` if it is next.
  bool consume(char token);
  /// Takes `token`, or refuses.
  bool expect(char token);
  /// Fails if any text is left.
  bool expectEnd();

  /// Refuses at the current character.
  std::nullopt_t fail(const std::string &message) {
    if (errorText.empty())
      errorText = message + " at character " + std::to_string(position);
    return std::nullopt;
  }
  const std::string &error() const { return errorText; }

private:
  void skipBlanks() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\t' ||
            text[position] == '\n' || text[position] == '\r'))
      ++position;
  }
  bool atDigit() const {
    return position < text.size() && text[position] >= '0' &&
           text[position] <= '9';
  }

  std::string_view text;
  size_t position = 0;
  std::string errorText;
};
} // namespace

bool Parser::consume(char token) {
  skipBlanks();
  if (!errorText.empty() || position == text.size() || text[position] != token)
    return false;
  ++position;
  return true;
}

bool Parser::expect(char token) {
  if (consume(token))
    return true;
  fail(std::string("expected '") + token + "'");
  return false;
}

bool Parser::expectEnd() {
  skipBlanks();
  if (position != text.size())
    fail("expected the end of the text");
  return errorText.empty();
}

std::optional<int64_t> Parser::parseInteger() {
  skipBlanks();
  size_t start = position;
  bool isNegative = position < text.size() && text[position] == '-';
  if (isNegative)
    ++position;
  if (!atDigit()) {
    position = start;
    return fail("expected an integer");
  }
  // Counts downwards, since the range of negative integers is larger by one.
  int64_t value = 0;
  for (; atDigit(); ++position) {
    if (__builtin_mul_overflow(value, int64_t(10), &value) ||
        __builtin_sub_overflow(value, int64_t(text[position] - '0'), &value)) {
      position = start;
      return fail("expected an integer of 64 bits");
    }
  }
  if (isNegative)
    return value;
  if (value == std::numeric_limits<int64_t>::min()) {
    position = start;
    return fail("expected an integer of 64 bits");
  }
  return -value;
}

std::optional<int64_t> Parser::parseInteger(int64_t least, int64_t greatest) {
  skipBlanks();
  size_t start = position;
  std::optional<int64_t> value = parseInteger();
  if (!value || (*value >= least && *value <= greatest))
    return value;
  position = start;
  return fail("expected an integer from " + std::to_string(least) + " to " +
              std::to_string(greatest));
}

std::optional<IntTuple> Parser::parseTuple(unsigned depth) {
  skipBlanks();
  if (position == text.size() || text[position] != '(') {
    if (position == text.size() || (text[position] != '-' && !atDigit()))
      return fail("expected an integer or '('");
    std::optional<int64_t> value = parseInteger();
    if (!value)
      return std::nullopt;
    return IntTuple(*value);
  }
  if (depth == kMaxNesting)
    return fail("expected at most " + std::to_string(kMaxNesting) +
                " levels of nesting");
  consume('(');
  std::vector<IntTuple> elements;
  do {
    std::optional<IntTuple> element = parseTuple(depth + 1);
    if (!element)
      return std::nullopt;
    elements.push_back(*std::move(element));
  } while (consume(','));
  if (!consume(')'))
    return fail("expected ',' or ')'");
  return IntTuple(std::move(elements));
}

Result<IntTuple> tile::parseIntTuple(std::string_view text) {
  Parser parser(text);
  std::optional<IntTuple> tuple = parser.parseTuple();
  if (!tuple || !parser.expectEnd())
    return Result<IntTuple>::failure(parser.error());
  return *std::move(tuple);
}

Result<Layout> tile::parseLayout(std::string_view text) {
  Parser parser(text);
  std::optional<IntTuple> shape = parser.parseTuple();
  std::optional<IntTuple> stride;
  if (shape && parser.expect(':'))
    stride = parser.parseTuple();
  if (!stride || !parser.expectEnd())
    return Result<Layout>::failure(parser.error());
  Result<Layout> layout = Layout::get(*std::move(shape), *std::move(stride));
  if (!layout)
    return Result<Layout>::failure(layout.error() + " at character 0");
  return layout;
}

Result<Swizzle> tile::parseSwizzle(std::string_view text) {
  Parser parser(text);
  unsigned values[3] = {};
  bool ok = parser.expect('S') && parser.expect('<');
  for (int i = 0; ok && i < 3; ++i) {
    std::optional<int64_t> value;
    if (i == 0 || parser.expect(','))
      value = parser.parseInteger(/*least=*/0, /*greatest=*/63);
    ok = value.has_value();
    if (ok)
      values[i] = static_cast<unsigned>(*value);
  }
  if (!ok || !parser.expect('>') || !parser.expectEnd())
    return Result<Swizzle>::failure(parser.error());
  Result<Swizzle> swizzle = Swizzle::get(values[0], values[1], values[2]);
  if (!swizzle)
    return Result<Swizzle>::failure(swizzle.error() + " at character 0");
  return swizzle;
}
