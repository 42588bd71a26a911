// FftPlan.h - passes and threads that transform a row
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FFTPLAN_H
#define TILE_LIB_ALGORITHMS_FFTPLAN_H

#include "tile/IR/FourierTransform.h"
#include "tile/IR/Tile.h"

#include <vector>

namespace tile {

/// The longest row of complex numbers that passes transform: its exchange takes
/// 128 KiB of shared memory.
int64_t getMaxFftLength(mlir::Type part);

/// Whether rows of real numbers are transformed as half as many complex ones:
/// of an even number of at least 16. Shorter ones are transformed as they are,
/// as rows of an odd number are: to tell even and odd positions apart costs
/// them more digits than the halves save time
/// (docs/FourierTransforms.md#accuracy).
bool isHalved(const FourierTransform &transform);

/// How rows of complex numbers are transformed.
enum class FftAlgorithm {
  passes,  ///< in registers, of radices that multiply to the length
  prime,   ///< a prime length p: a convolution of p - 1 elements (Rader)
  chirp,   ///< any length n: one of at least 2 n - 1 elements (Bluestein)
  factors, ///< a length a b: b rows of a elements, then a rows of b
};

/// How the rows of complex numbers that a transform comes down to are computed.
struct FftPlan {
  FftAlgorithm algorithm = FftAlgorithm::passes;
  int64_t points;                     ///< of the row
  int64_t length;                     ///< of the row that is convolved, if one
                                      ///< is, else the same
  llvm::SmallVector<int64_t> radices; ///< of the passes, if there are no parts
  bool hasTwiddles = true; ///< between passes: not where radices are coprime
                           ///< and the order of the row is free
  int64_t threads;         ///< of a row, a power of two
  /// Plans for rows of a and of b elements, or for a convolution that is not by
  /// passes.
  std::vector<FftPlan> parts;
  int64_t extent; ///< most elements of a row and of its expansion
};

/// The plan of a transform, by the parameters `given` by the program, if there
/// are any: radices that multiply to one less than a prime length are those of
/// a convolution. The plan has more elements than a block has room for if no
/// plan fits.
FftPlan choosePlan(const FourierTransform &transform, FftPlanAttr given,
                   mlir::Type part);

/// The transform that an operation of this chapter computes, and its plan; none
/// for other operations.
std::optional<std::pair<FourierTransform, FftPlan>>
getFourierPlan(mlir::Operation *op);

/// Layout of the elements of a pass: a tile of (batch, radix, columns), of
/// which `threads` threads have an element of the batch, each thread whole
/// columns.
RegisterLayout getPassLayout(llvm::ArrayRef<int64_t> shape, int64_t threads,
                             int64_t numWarps);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FFTPLAN_H
