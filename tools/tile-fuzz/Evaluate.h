// Evaluate.h - the semantics of a tile program, computed in float64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter of whole tiles, written from the operations' documentation. It
// shares no code with the compiler's paths, so that it gives a third result to
// compare with those of the CPU path and the emulator. It is written for
// readability, not for speed.

#ifndef TILE_TOOLS_TILEFUZZ_EVALUATE_H
#define TILE_TOOLS_TILEFUZZ_EVALUATE_H

#include "Element.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace tile::fuzz {

/// An array argument. Its elements are numbered by their distance, in elements,
/// from the element with the lowest address.
struct ArrayValue {
  mlir::Type element;
  std::vector<int64_t> sizes, strides;
  /// Distance of the element with coordinates 0; not 0 if a stride is negative.
  int64_t low = 0;
  std::vector<Element> elements;
  /// Whether the program wrote each element.
  std::vector<bool> isWritten;
  /// Values that an element may have instead of `elements`, by its distance:
  /// several accesses wrote the element in an unspecified order.
  std::map<int64_t, std::vector<Element>> others;

  /// Returns the distance of an element; nothing if it is outside the array.
  std::optional<int64_t> find(llvm::ArrayRef<int64_t> coordinate) const;

  /// Returns the element at a distance; unknown if it may have one of several
  /// values.
  Element read(int64_t distance) const;
  void write(int64_t distance, const Element &value);
  /// Records that one of `values` is written, but not which. @pre `values` is
  /// not empty.
  void writeOneOf(int64_t distance, llvm::ArrayRef<Element> values);
  /// Makes all elements unknown, because any of them may have been written.
  void forget();
};

/// An argument of a kernel: an array, or a scalar.
struct ArgumentValue {
  std::optional<ArrayValue> array;
  Element scalar;
};

/// Runs all blocks of the grid, one after the other, and stores the results in
/// the arrays of `arguments`. An operation that the interpreter does not
/// support is reported as an error at its location.
mlir::LogicalResult evaluate(KernelOp kernel,
                             std::vector<ArgumentValue> &arguments,
                             const std::array<int64_t, 3> &grid);

/// Runs all blocks on dual numbers (Element::dual), without the rounding of the
/// program, so that the arrays hold results and their derivatives in the
/// direction of the tangents in `arguments`. An element whose derivative is not
/// known is NaN.
mlir::LogicalResult evaluateDuals(KernelOp kernel,
                                  std::vector<ArgumentValue> &arguments,
                                  const std::array<int64_t, 3> &grid);

/// Receives a kernel, its arguments before a launch, and the grid.
using OnLaunch =
    std::function<void(KernelOp, const std::vector<ArgumentValue> &,
                       const std::array<int64_t, 3> &)>;

/// Runs a function of the host that allocates arrays and launches kernels, on
/// dual numbers. `onLaunch` is called before each launch. An operation that is
/// not supported is reported as an error at its location.
mlir::LogicalResult evaluateFunction(mlir::func::FuncOp function,
                                     std::vector<ArgumentValue> &arguments,
                                     const OnLaunch &onLaunch);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_EVALUATE_H
