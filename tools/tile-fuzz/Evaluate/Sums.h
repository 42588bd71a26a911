// Sums.h - sums and reductions in an unspecified order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_EVALUATE_SUMS_H
#define TILE_TOOLS_TILEFUZZ_EVALUATE_SUMS_H

#include "../Element.h"

#include "tile/IR/Tile.h"

namespace tile::fuzz {

/// A sum in an unspecified order, in the type in which the operation
/// accumulates.
struct Accumulation {
  mlir::Type type;
  double value = 0, magnitude = 0, error = 0;
  int64_t count = 0;

  void add(double term, double termError) {
    value += term;
    magnitude += std::fabs(term) + termError;
    error += termError;
    ++count;
  }

  /// Returns the sum of terms that are results of multiplications, each of
  /// which may have been rounded to a denormal; unknown if a partial sum may
  /// overflow.
  Element finishProducts(double unitRoundoff) {
    if (!(magnitude < getLargest(type)))
      return Element::unknown();
    if (count > 1)
      error += static_cast<double>(count) * getSmallest(type);
    return finish(unitRoundoff);
  }

  /// Returns the sum, with an error that includes that of the float64 sum
  /// itself. It is exact if there is only one term, which is exact.
  Element finish(double unitRoundoff) const {
    double roundings = static_cast<double>(std::max<int64_t>(count - 1, 0));
    return rounded(
        value, error + roundings * (unitRoundoff + 0x1p-53) * magnitude, type);
  }
};

/// Rounds a value as tensor cores do with precision tf32: to 10 bits of
/// mantissa, ties away from zero or, from sm_90 on, to even.
Element roundToTF32(const Element &x);

/// Adds the term a * b, whose factors have the errors `aError` and `bError`.
void addProduct(Accumulation &sum, double a, double aError, double b,
                double bError);

/// Reduces one or more terms, with an error that is valid for any order.
Element reduceElements(ReduceKind kind, llvm::ArrayRef<Element> terms,
                       mlir::Type type);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_EVALUATE_SUMS_H
