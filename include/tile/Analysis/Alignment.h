// Alignment.h - what is known of the addresses of an array access
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector access needs a proof that its address is a multiple of its size:
// of the base, of each stride that is stepped along, of the offsets. What the
// program's text does not say, the specialized variant of a kernel assumes in
// argument attributes (see -tile-specialize-alignment).

#ifndef TILE_ANALYSIS_ALIGNMENT_H
#define TILE_ANALYSIS_ALIGNMENT_H

#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// The widest access of one thread (PTX ISA, "Vectors": 128 bits).
constexpr int64_t kMaxAccessBytes = 16;

/// Bytes that the base address of a kernel's array, and each of its run-time
/// strides, are a multiple of: a power of two, promised by the program's author
/// or assumed by this variant of the kernel. One where nothing is said.
int64_t getBaseAlignment(KernelOp kernel, unsigned argument);
int64_t getStrideAlignment(KernelOp kernel, unsigned argument);

/// The largest power of two, at most 2^16, that divides an index value in all
/// runs. Looks through arith, loops' induction variables and constants.
int64_t getKnownDivisor(mlir::Value index);

/// Whether an index value is never below zero, as far as its expression tells:
/// made of sizes, block numbers, constants and counters of loops. Sums and
/// products are taken not to overflow.
bool isKnownNonNegative(mlir::Value index);

/// What an access assumes of array arguments without a proof in the text.
enum class Assume {
  kAttributes, ///< what the argument's attributes say
  kPromise     ///< what the specialized variant will say
};

/// The most elements that one access can take along `dim`: a power of two with
/// at most 16 bytes. Accesses begin at the box's offset plus a multiple of
/// that many elements along `dim`, and at any place along the others.
/// `boxExtents` has one extent a dimension of the array.
int64_t getVectorWidth(mlir::Value array, mlir::ValueRange offsets,
                       llvm::ArrayRef<int64_t> boxExtents, int64_t dim,
                       Assume assume = Assume::kAttributes);

/// The same for a box of a tile, along the array's contiguous dimension; one
/// where it has none.
int64_t getVectorWidth(mlir::Value array, mlir::ValueRange offsets,
                       llvm::ArrayRef<int64_t> tileShape,
                       Assume assume = Assume::kAttributes);

/// The extents of a tile's box in an array of at least its rank: leading ones.
llvm::SmallVector<int64_t> getBoxExtents(mlir::MemRefType array,
                                         llvm::ArrayRef<int64_t> tileShape);

} // namespace tile

#endif // TILE_ANALYSIS_ALIGNMENT_H
