// Expression.h - parses a line such as "y = a*x + 0.5", and evaluates it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef EMBED_EXPRESSION_H
#define EMBED_EXPRESSION_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace embed {

/// An expression as a tree. Each node has the location of its operator in the
/// line.
struct Expression {
  enum class Kind { Number, Input, Add, Subtract, Multiply };

  Kind kind;
  mlir::Location loc;
  /// The value of a Kind::Number.
  float number = 0;
  /// The position of a Kind::Input in Statement::inputs.
  size_t input = 0;
  /// The two operands of the other kinds.
  std::vector<Expression> operands;
};

struct Statement {
  std::string result;
  /// The inputs in the order in which they appear, each once.
  std::vector<std::string> inputs;
  Expression value;
};

/// statement: NAME '=' sum
/// sum:       product (('+' | '-') product)*
/// product:   factor ('*' factor)*
/// factor:    NAME | NUMBER | '(' sum ')'
///
/// Errors are reported in the context at their columns.
mlir::FailureOr<Statement> parse(llvm::StringRef line,
                                 mlir::MLIRContext *context);

/// Evaluates the expression for one element of each input.
float evaluate(const Expression &expression, const std::vector<float> &inputs);

} // namespace embed

#endif // EMBED_EXPRESSION_H
