// ArithmeticAttrs.h - what is known of arithmetic of the LLVM dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As those of DiscardableAttrs.h, which the dialect's description lists.

#ifndef TILE_IR_ARITHMETICATTRS_H
#define TILE_IR_ARITHMETICATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tile {

// On a division or a shift.
constexpr llvm::StringLiteral kDefinedAttr = "tile.defined";
// On the select that follows a division.
constexpr llvm::StringLiteral kZeroDivisorAttr = "tile.zero_divisor";

} // namespace tile

#endif // TILE_IR_ARITHMETICATTRS_H
