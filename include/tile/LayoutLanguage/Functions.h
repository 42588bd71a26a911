// Functions.h - the functions that expressions of tile-layout can call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LAYOUTLANGUAGE_FUNCTIONS_H
#define TILE_LAYOUTLANGUAGE_FUNCTIONS_H

#include "tile/LayoutLanguage/Value.h"

#include "tile/Layout/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tile::layoutlanguage {

/// Kind of an operand. A tiler is a layout, a list or a shape.
enum class Kind { kLayout, kLayoutOrComposed, kTiler, kShape, kInteger };

struct Function {
  const char *name;
  std::vector<Kind> operands;
  const char *help;
  /// @pre each operand is a result of convertOperand for its kind.
  Result<Value> (*apply)(const std::vector<Value> &operands);
};

/// Returns the function with the name `name`, or null.
const Function *findFunction(std::string_view name);

/// Returns the value as an operand of kind `kind`. The error states the
/// expected kind.
Result<Value> convertOperand(Kind kind, const Value &value);

/// Returns `left` after `right`, for all values that may be operands of `o`.
Result<Value> composeValues(const Value &left, const Value &right);

/// Returns the help text, with a line for each function.
std::string describeFunctions();

} // namespace tile::layoutlanguage

#endif // TILE_LAYOUTLANGUAGE_FUNCTIONS_H
