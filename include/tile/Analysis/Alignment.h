// Alignment.h - known alignment of the addresses of an array access
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector access requires a proof that its address is a multiple of its size.
// The proof covers the base address, the offsets, and each stride along which
// the address changes. If the text of the program does not prove it, the
// specialized variant of a kernel assumes it in argument attributes (see
// -tile-specialize-alignment).

#ifndef TILE_ANALYSIS_ALIGNMENT_H
#define TILE_ANALYSIS_ALIGNMENT_H

#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// Return the alignment in bytes of the base address, and of the run-time
/// strides, of the array that is argument `argument` of a kernel. It is a power
/// of two that the program's author or this variant of the kernel assumes; one
/// if nothing is assumed.
int64_t getBaseAlignment(KernelOp kernel, unsigned argument);
int64_t getStrideAlignment(KernelOp kernel, unsigned argument);

/// Returns the largest power of two, at most 2^16, that divides an index value
/// in all runs. Looks through arith, constants, induction variables, and values
/// that loops and branches carry.
int64_t getKnownDivisor(mlir::Value index);

/// Whether an index value is provably not negative: its expression consists of
/// sizes, block indices, constants and loop counters. Sums and products are
/// assumed not to overflow.
bool isKnownNonNegative(mlir::Value index);

/// The assumptions about array arguments that an access may use in addition to
/// proofs.
enum class Assume {
  kAttributes, ///< those in the argument's attributes
  kPromise     ///< those of the specialized variant
};

/// Returns the maximum number of elements that one access can take along `dim`:
/// a power of two, such that the access has at most 16 bytes. Along `dim`,
/// accesses start at the box's offset plus a multiple of that many elements;
/// along the other dimensions they start at any coordinate of the box.
/// `boxExtents` has one extent for each dimension of the array.
int64_t getVectorWidth(mlir::Value array, mlir::ValueRange offsets,
                       llvm::ArrayRef<int64_t> boxExtents, int64_t dim,
                       Assume assume = Assume::kAttributes);

/// Overload for the box of a tile of shape `tileShape` and the array's
/// contiguous dimension. Returns one if the array has no contiguous dimension.
int64_t getVectorWidth(mlir::Value array, mlir::ValueRange offsets,
                       llvm::ArrayRef<int64_t> tileShape,
                       Assume assume = Assume::kAttributes);

/// Returns the extents of a tile's box along the dimensions of an array whose
/// rank is at least that of the tile. The extents of the additional, leading
/// dimensions are one.
llvm::SmallVector<int64_t> getBoxExtents(mlir::MemRefType array,
                                         llvm::ArrayRef<int64_t> tileShape);

} // namespace tile

#endif // TILE_ANALYSIS_ALIGNMENT_H
