// Matmul.h - the kinds of matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_GENERATE_PRODUCT_H
#define TILE_TOOLS_TILEFUZZ_GENERATE_PRODUCT_H

#include "Generator.h"

#include "llvm/ADT/StringRef.h"

namespace tile::fuzz {

/// A kind of matmul on tensor cores that all architectures have in common.
struct Matmul {
  /// The element types of A and B, and of C.
  std::string element, accumulator;
  bool isTF32 = false;
  /// The matrix instruction; empty if there is none common to all.
  std::string atom = {};
  /// The rows and columns of the instruction's sub-tile.
  int64_t rows = 0, columns = 0;

  bool isFloat8() const { return llvm::StringRef(element).starts_with("f8"); }
  /// Whether a warpgroup can compute it, on sm_90a.
  bool isForGroups() const {
    return element == "i8" ||
           (accumulator == "f32" &&
            (element == "f16" || element == "bf16" || isFloat8()));
  }
};

/// A loop of matmuls of m by k and k by n.
struct Generator::MatmulLoop {
  int64_t m, n, k, count = 0;
  /// The offset along K.
  std::string at = {};
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_GENERATE_PRODUCT_H
