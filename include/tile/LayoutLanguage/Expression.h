// Expression.h - the language of tile-layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   expression := term ('o' term)*              right to left, as functions do
//   term       := tuple ':' tuple               a layout
//               | tuple | integer               a shape, an offset
//               | '(' expression (',' expression)+ ')'   layouts side by side
//               | '(' expression ')'
//               | '<' expression (',' expression)* '>'   a list of tilers
//               | 'S' '<' integer ',' integer ',' integer '>'
//               | name '(' expression (',' expression)* ')'
//               | attribute
//   tuple      := integer | '(' tuple (',' tuple)* ')'
//   attribute  := '#tile.layout' '<' expression '>'
//               | '#tile.swizzle' '<' integer ',' integer ',' integer '>'
//               | '#tile.register' '<' expression ',' 'box' '=' integers '>'
//               | '#tile.shared' '<' expression (',' 'swizzle' '=' swizzle)?
//                                               (',' 'align' '=' integer)? '>'
//
// The attributes are those of the dialect, so that what IR shows can be pasted.

#ifndef TILE_LAYOUTLANGUAGE_EXPRESSION_H
#define TILE_LAYOUTLANGUAGE_EXPRESSION_H

#include "tile/LayoutLanguage/Value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tile::layoutlanguage {

struct ExpressionError {
  /// Counted from 0.
  size_t position = 0;
  std::string message;
};

/// Returns the value of the whole text. Returns nothing if the text has no
/// value; `error` then states why. Any text is safe to evaluate.
std::optional<Value> evaluateExpression(std::string_view text,
                                        ExpressionError &error);

} // namespace tile::layoutlanguage

#endif // TILE_LAYOUTLANGUAGE_EXPRESSION_H
