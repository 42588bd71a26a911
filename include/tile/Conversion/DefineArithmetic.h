// DefineArithmetic.h - integer arithmetic whose result LLVM leaves open
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect gives each operation one meaning, on every path (Dialect.md,
// "Compute"). Some of LLVM's operations instead have undefined behaviour or
// give poison, which its optimizer exploits. The dialect defines:
//
//   a quotient or a remainder by zero     zero
//   the quotient that overflows           modulo 2^n, with remainder zero
//   a shift by the width or more          zeros, or the sign
//   a float that does not fit an integer  the nearest integer; zero for NaN
//
//   %q = llvm.sdiv %x, %y : i32
//
// becomes
//
//   %isZero = llvm.icmp "eq" %y, 0
//   %overflows = ...                      // %x is the least, and %y is -1
//   %divisor = llvm.select %isZero or %overflows, 1, %y
//   %quotient = llvm.sdiv %x, %divisor {tile.defined}
//   %q = llvm.select %isZero, 0, %quotient {tile.zero_divisor}

#ifndef TILE_CONVERSION_DEFINEARITHMETIC_H
#define TILE_CONVERSION_DEFINEARITHMETIC_H

#include "mlir/IR/PatternMatch.h"

namespace tile {

/// The processor that converts floats to integers.
enum class ArithmeticTarget { host, gpu };

/// Whether LLVM leaves the result of an operation open for some of its possible
/// operands.
bool isOpenArithmetic(mlir::Operation *op);

/// Replaces `op` by operations that have the dialect's meaning. @pre
/// isOpenArithmetic(op).
void defineArithmetic(mlir::Operation *op, ArithmeticTarget target);

/// Replaces all operations in `root` whose result LLVM leaves open.
void defineHostArithmetic(mlir::Operation *root);

/// Adds patterns that convert rounding divisions to truncating divisions with a
/// correction; a divisor of zero gets no correction.
void populateRoundingDivisionPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_CONVERSION_DEFINEARITHMETIC_H
