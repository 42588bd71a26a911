// Expression.cpp - parses a line such as "y = a*x + 0.5", and evaluates it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expression.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace embed;
using namespace mlir;
using Kind = Expression::Kind;

namespace {
/// A recursive-descent parser. `rest` is the text that is not yet read.
class Parser {
public:
  Parser(StringRef line, MLIRContext *context)
      : line(line), rest(line), context(context) {}

  FailureOr<Statement> parseStatement();

private:
  FailureOr<Expression> parseSum();
  FailureOr<Expression> parseMatmul();
  FailureOr<Expression> parseFactor();
  FailureOr<Expression> parseParentheses();
  Expression readInput();

  void skipBlanks() { rest = rest.ltrim(); }
  bool startsName() { return !rest.empty() && llvm::isAlpha(rest.front()); }
  StringRef readName();
  /// Reads `sign` if it comes next, and returns whether it does.
  bool take(char sign);
  Location here();
  LogicalResult refuse(StringRef expected);

  StringRef line, rest;
  MLIRContext *context;
  std::string result;
  std::vector<std::string> inputs;
  int depth = 0;
};
} // namespace

Location Parser::here() {
  skipBlanks();
  unsigned column = line.size() - rest.size() + 1;
  return FileLineColLoc::get(context, "expression", 1, column);
}

LogicalResult Parser::refuse(StringRef expected) {
  InFlightDiagnostic error = emitError(here());
  error << "expected " << expected << ", got ";
  if (rest.empty())
    return error << "the end";
  return error << "'" << rest.take_front(1) << "'";
}

bool Parser::take(char sign) {
  skipBlanks();
  return rest.consume_front(StringRef(&sign, 1));
}

StringRef Parser::readName() {
  StringRef name = rest.take_while(llvm::isAlnum);
  rest = rest.drop_front(name.size());
  return name;
}

FailureOr<Statement> Parser::parseStatement() {
  skipBlanks();
  if (!startsName())
    return refuse("the result's name");
  result = readName().str();
  if (!take('='))
    return refuse("'='");
  FailureOr<Expression> value = parseSum();
  if (failed(value))
    return failure();
  skipBlanks();
  if (!rest.empty())
    return refuse("'+', '-', '*' or the end");
  return Statement{result, inputs, std::move(*value)};
}

FailureOr<Expression> Parser::parseSum() {
  FailureOr<Expression> left = parseMatmul();
  while (succeeded(left)) {
    Location loc = here();
    Kind kind = take('+') ? Kind::Add : Kind::Subtract;
    if (kind == Kind::Subtract && !take('-'))
      break;
    FailureOr<Expression> right = parseMatmul();
    if (failed(right))
      return failure();
    left = Expression{kind, loc, 0, 0, {std::move(*left), std::move(*right)}};
  }
  return left;
}

FailureOr<Expression> Parser::parseMatmul() {
  FailureOr<Expression> left = parseFactor();
  while (succeeded(left)) {
    Location loc = here();
    if (!take('*'))
      break;
    FailureOr<Expression> right = parseFactor();
    if (failed(right))
      return failure();
    left = Expression{
        Kind::Multiply, loc, 0, 0, {std::move(*left), std::move(*right)}};
  }
  return left;
}

FailureOr<Expression> Parser::parseFactor() {
  Location loc = here();
  if (startsName()) {
    StringRef name = rest.take_while(llvm::isAlnum);
    if (name == result)
      return emitError(loc)
             << "expected another name than the result's, got '" << name << "'";
    return readInput();
  }
  StringRef number =
      rest.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  if (!number.empty()) {
    double value;
    if (number.getAsDouble(value))
      return emitError(loc) << "expected a number, got '" << number << "'";
    rest = rest.drop_front(number.size());
    return Expression{Kind::Number, loc, float(value), 0, {}};
  }
  if (take('('))
    return parseParentheses();
  return refuse("a name, a number or '('");
}

FailureOr<Expression> Parser::parseParentheses() {
  constexpr int kMaxDepth = 100;
  if (++depth > kMaxDepth)
    return emitError(here()) << "expected at most " << kMaxDepth
                             << " parentheses in each other, got more";
  FailureOr<Expression> inner = parseSum();
  if (succeeded(inner) && !take(')'))
    return refuse("'+', '-', '*' or ')'");
  --depth;
  return inner;
}

Expression Parser::readInput() {
  Location loc = here();
  std::string name = readName().str();
  size_t position = llvm::find(inputs, name) - inputs.begin();
  if (position == inputs.size())
    inputs.push_back(name);
  return Expression{Kind::Input, loc, 0, position, {}};
}

FailureOr<Statement> embed::parse(StringRef line, MLIRContext *context) {
  return Parser(line, context).parseStatement();
}

float embed::evaluate(const Expression &expression,
                      const std::vector<float> &inputs) {
  if (expression.kind == Kind::Number)
    return expression.number;
  if (expression.kind == Kind::Input)
    return inputs[expression.input];
  float left = evaluate(expression.operands[0], inputs);
  float right = evaluate(expression.operands[1], inputs);
  switch (expression.kind) {
  case Kind::Add:
    return left + right;
  case Kind::Subtract:
    return left - right;
  default:
    return left * right;
  }
}
