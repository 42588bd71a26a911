// Print.h - printing and parsing of tuples, layouts and swizzles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The notation is CuTe's:
//
//   tuple   := integer | '(' tuple (',' tuple)* ')'
//   layout  := tuple ':' tuple
//   swizzle := 'S' '<' integer ',' integer ',' integer '>'
//
// and, only for printing,
//
//   tiler    := layout | '<' tiler (',' tiler)* '>'
//   composed := (swizzle | layout) 'o' integer 'o' layout
//
// Blanks may stand between tokens. Any text is safe to parse: nesting is
// limited, integers that overflow are refused, and each refusal states the
// character (counted from 0), as in "expected ',' or ')' at character 5".

#ifndef TILE_LAYOUT_PRINT_H
#define TILE_LAYOUT_PRINT_H

#include "tile/Layout/ComposedLayout.h"
#include "tile/Layout/IntTuple.h"
#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Swizzle.h"
#include "tile/Layout/Tiler.h"

#include <string>
#include <string_view>

namespace tile {

/// The deepest nesting that the parsers accept.
constexpr unsigned kMaxNesting = 64;

/// Example: "((2,2),6)".
std::string toString(const IntTuple &tuple);
/// Example: "((2,2),3):((24,2),8)".
std::string toString(const Layout &layout);
/// Example: "S<3,4,3>".
std::string toString(const Swizzle &swizzle);
/// Example: "<3:3,(2,4):(1,8)>".
std::string toString(const Tiler &tiler);
/// A swizzle that does nothing is left out.
/// Examples: "S<3,4,3> o 0 o (8,128):(128,1)", "3 o 5:1".
std::string toString(const ComposedLayout &layout);

/// Parses the whole text as a tuple. Refused, with a position, for any other
/// text, an empty list, more than kMaxNesting levels and an integer beyond
/// int64_t.
/// @post parseIntTuple(toString(t)) is t, for t without empty lists.
Result<IntTuple> parseIntTuple(std::string_view text);
/// Parses the whole text as a layout. Also refused as Layout::get refuses.
/// @post parseLayout(toString(l)) is l.
Result<Layout> parseLayout(std::string_view text);
/// Parses the whole text as a swizzle. Also refused as Swizzle::get refuses.
/// @post parseSwizzle(toString(s)) is s, for valid s.
Result<Swizzle> parseSwizzle(std::string_view text);

} // namespace tile

#endif // TILE_LAYOUT_PRINT_H
