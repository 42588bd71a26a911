// ArithmeticAttrs.h - attributes of arithmetic operations of the LLVM dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are discardable like those of DiscardableAttrs.h; the dialect's
// description lists them.

#ifndef TILE_IR_ARITHMETICATTRS_H
#define TILE_IR_ARITHMETICATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tile {

// Attribute of a division or a shift.
constexpr llvm::StringLiteral kDefinedAttr = "tile.defined";
// Attribute of the select that follows a division.
constexpr llvm::StringLiteral kZeroDivisorAttr = "tile.zero_divisor";

} // namespace tile

#endif // TILE_IR_ARITHMETICATTRS_H
