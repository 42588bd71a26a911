// FftPlan.h - passes and threads that transform a row
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FFTPLAN_H
#define TILE_LIB_ALGORITHMS_FFTPLAN_H

#include "tile/IR/FourierTransform.h"
#include "tile/IR/Tile.h"

#include <vector>

namespace tile {

/// Returns the maximum length of a row of complex elements, with parts of type
/// `part`, that can be transformed by passes: the exchange between two passes
/// then takes 128 KiB of shared memory.
int64_t getMaxFftLength(mlir::Type part);

/// Whether rows of real elements are transformed as half as many complex ones:
/// if their length is even and at least 16. Other rows are transformed as
/// complex rows of the same length. For short rows, the separation of even and
/// odd indices would cost more accuracy than it saves time
/// (docs/FourierTransforms.md#accuracy).
bool isHalved(const FourierTransform &transform);

/// Algorithms for rows of complex elements.
enum class FftAlgorithm {
  passes,  ///< in registers, of radices that multiply to the length
  prime,   ///< a prime length p: a convolution of p - 1 elements (Rader)
  chirp,   ///< any length n: one of at least 2 n - 1 elements (Bluestein)
  factors, ///< a length a b: b rows of a elements, then a rows of b
};

/// Plan for rows of complex elements: an algorithm with its lengths, radices
/// and threads.
struct FftPlan {
  FftAlgorithm algorithm = FftAlgorithm::passes;
  int64_t points;                     ///< of the row
  int64_t length;                     ///< of the row that is convolved, if one
                                      ///< is, else the same
  llvm::SmallVector<int64_t> radices; ///< of the passes, if there are no parts
  bool hasTwiddles = true; ///< between passes: not where radices are coprime
                           ///< and the order of the row is free
  int64_t threads;         ///< of a row, a power of two
  /// Plans of the transforms that this one consists of: for rows of a and of b
  /// elements, or for a convolution that is not computed by passes.
  std::vector<FftPlan> parts;
  int64_t extent; ///< maximum number of elements that a row has at any step
};

/// Returns the plan of a transform, with the parameters `given` by the program,
/// if there are any; given radices that multiply to one less than a prime
/// length are those of the convolution. If no plan fits, the returned one has
/// more elements than a block has room for.
FftPlan choosePlan(const FourierTransform &transform, FftPlanAttr given,
                   mlir::Type part);

/// Returns the transform that an operation computes, and its plan; nothing if
/// the operation is no Fourier transform.
std::optional<std::pair<FourierTransform, FftPlan>>
getFourierPlan(mlir::Operation *op);

/// Returns the layout of the tile (batch, radix, columns) of a pass: `threads`
/// threads hold an element of the batch, each thread whole columns.
RegisterLayout getPassLayout(llvm::ArrayRef<int64_t> shape, int64_t threads,
                             int64_t numWarps);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FFTPLAN_H
