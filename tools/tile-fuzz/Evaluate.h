// Evaluate.h - the semantics of a tile program, computed in float64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter of whole tiles, written from the operations' documentation. It
// shares no code with the compiler's paths, so that it gives a third result to
// compare with those of the CPU path and the emulator. It is written for
// readability, not for speed.

#ifndef TILE_TOOLS_TILEFUZZ_EVALUATE_H
#define TILE_TOOLS_TILEFUZZ_EVALUATE_H

#include "Number.h"

#include "tile/IR/Tile.h"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace tile::fuzz {

/// An array argument: its elements by distance from that of the lowest address.
struct ArrayValue {
  mlir::Type element;
  std::vector<int64_t> sizes, strides;
  /// The distance of the first element.
  int64_t low = 0;
  std::vector<Number> elements;
  /// Whether the program wrote each element.
  std::vector<bool> isWritten;
  /// Other allowed values of elements that several accesses wrote.
  std::map<int64_t, std::vector<Number>> others;

  /// The distance of an element; nothing outside the array.
  std::optional<int64_t> find(llvm::ArrayRef<int64_t> coordinate) const;

  /// An element at a distance; not known where it may be one of several.
  Number read(int64_t distance) const;
  void write(int64_t distance, const Number &number);
  /// Writes one of several values, at least one; any of them may be stored.
  void writeOneOf(int64_t distance, llvm::ArrayRef<Number> numbers);
  /// Any element may have been written.
  void forget();
};

/// An argument of a kernel: an array, or a scalar.
struct ArgumentValue {
  std::optional<ArrayValue> array;
  Number scalar;
};

/// Runs all blocks of the grid, one after the other; arrays take the results.
/// An operation that the interpreter does not know is an error at its line.
mlir::LogicalResult evaluate(KernelOp kernel,
                             std::vector<ArgumentValue> &arguments,
                             const std::array<int64_t, 3> &grid);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_EVALUATE_H
