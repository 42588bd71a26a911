// Arithmetic.h - operations on one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_EVALUATE_ARITHMETIC_H
#define TILE_TOOLS_TILEFUZZ_EVALUATE_ARITHMETIC_H

#include "../Element.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace tile::fuzz {

/// Returns the bits of `value` that the type has; the higher bits are zero.
uint64_t getLowBits(int64_t value, mlir::Type type);

/// Returns the signed value of an integer of the type: 0 or -1 for i1.
int64_t getSigned(int64_t value, mlir::Type type);

/// Computes an integer operation of two operands; nothing if it is not
/// supported.
std::optional<int64_t> applyInteger(mlir::Operation *op, int64_t a, int64_t b,
                                    mlir::Type type);

/// Computes an integer operation of one operand; nothing if it is not
/// supported.
std::optional<int64_t> applyInteger(mlir::Operation *op, int64_t a,
                                    mlir::Type type);

/// Computes a floating-point operation; nothing if it is not supported.
std::optional<Element> applyFloat(mlir::Operation *op,
                                  llvm::ArrayRef<Element> x, mlir::Type type);

/// Applies the fast-math flags to the result of a floating-point operation.
Element applyFlags(mlir::Operation *op, llvm::ArrayRef<Element> x,
                   const Element &result, mlir::Type type);

/// Returns the larger value if `isMax`, else the smaller one; NaN if a value is
/// NaN.
Element pickExtreme(const Element &a, const Element &b, bool isMax);

/// Computes a step function such as floor. The result is known if the function
/// has the same value at both ends of the operand's interval.
Element step(const Element &a, double (*function)(double));

Element compareFloats(mlir::arith::CmpFPredicate predicate, const Element &a,
                      const Element &b);

/// Evaluates a classification such as `math.isnan`; nothing if `op` is another
/// operation.
std::optional<Element> classify(mlir::Operation *op, const Element &x,
                                mlir::Type type);

/// Converts an element as `tile.cast` does.
Element castElement(CastOp op, const Element &x, mlir::Type from,
                    mlir::Type to);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_EVALUATE_ARITHMETIC_H
