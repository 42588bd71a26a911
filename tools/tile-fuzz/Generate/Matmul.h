// Matmul.h - the kinds of matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_GENERATE_PRODUCT_H
#define TILE_TOOLS_TILEFUZZ_GENERATE_PRODUCT_H

#include "Generator.h"

#include "llvm/ADT/StringRef.h"

namespace tile::fuzz {

/// A kind of matmul that the generator uses on all architectures.
struct Matmul {
  /// The element types of A and B, and of C.
  std::string element, accumulator;
  bool isTF32 = false;
  /// The tensor core instruction; empty if no instruction exists on all
  /// architectures.
  std::string atom = {};
  /// The rows and columns of the instruction's sub-tile; zero without an
  /// instruction.
  int64_t rows = 0, columns = 0;

  bool isFloat8() const { return llvm::StringRef(element).starts_with("f8"); }
  /// Whether the warpgroup instructions of sm_90a can compute the matmul.
  bool isForGroups() const {
    return element == "i8" ||
           (accumulator == "f32" &&
            (element == "f16" || element == "bf16" || isFloat8()));
  }
};

/// A loop of `count` matmuls of an m by k and a k by n operand.
struct Generator::MatmulLoop {
  int64_t m, n, k, count = 0;
  /// The name of the value with the offset along K.
  std::string at = {};
  /// The name of the value with the offset along the other dimension; empty if
  /// there is no loop over rows.
  std::string row = {};
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_GENERATE_PRODUCT_H
