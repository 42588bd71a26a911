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

/// Whether rows of n real elements are transformed as rows of n / 2 complex
/// elements: if n is even and at least 16. Other rows are transformed as
/// complex rows of the same length. For short rows, the separation of even and
/// odd indices would cost more accuracy than it saves time
/// (docs/FourierTransforms.md#accuracy).
bool isHalved(const FourierTransform &transform);

/// Algorithms for rows of complex elements.
enum class FftAlgorithm {
  passes,  ///< in registers, of radices that multiply to the length
  prime,   ///< a prime length p: a convolution of p - 1 elements (Rader)
  chirp,   ///< any length n: a convolution of at least 2 n - 1 (Bluestein)
  factors, ///< a length a * b: b rows of a elements, then a rows of b
};

/// Plan for rows of complex elements: an algorithm with its lengths, radices
/// and threads.
struct FftPlan {
  FftAlgorithm algorithm = FftAlgorithm::passes;
  int64_t points;                     ///< length of the row
  int64_t length;                     ///< length of the convolution, if there
                                      ///< is one, otherwise of the row
  llvm::SmallVector<int64_t> radices; ///< of the passes, if there are no parts
  bool hasTwiddles = true; ///< passes need twiddle factors: false if radices
                           ///< are coprime and the row's order is free
  int64_t threads;         ///< threads of a row, a power of two
  /// Plans of the transforms that this one consists of: for rows of a and of b
  /// elements, or for a convolution that is not computed by passes.
  std::vector<FftPlan> parts;
  int64_t extent; ///< maximum number of elements that a row has at any step
};

/// Returns the plan of a transform, with the parameters `given` by the program,
/// if there are any. If the given radices multiply to one less than a prime
/// length, they are those of the convolution. If no plan fits, returns a plan
/// whose `extent` exceeds getMaxFftLength(part).
FftPlan choosePlan(const FourierTransform &transform, FftPlanAttr given,
                   mlir::Type part);

/// Returns the transform that an operation computes, and its plan; nothing if
/// the operation is no Fourier transform.
std::optional<std::pair<FourierTransform, FftPlan>>
getFourierPlan(mlir::Operation *op);

/// Returns the layout of the tile (batch, radix, columns) of a pass. `threads`
/// threads hold a row of the batch, and each thread holds whole columns.
RegisterLayout getPassLayout(llvm::ArrayRef<int64_t> shape, int64_t threads,
                             int64_t numWarps);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FFTPLAN_H
