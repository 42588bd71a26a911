// FactorStatus.h - the first column of a matrix without a usable pivot
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_FACTORSTATUS_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_FACTORSTATUS_H

#include "../Memory/Addresses.h"

namespace tile {

/// Sets `status`, an i32 that is null before the first step, to the one-based
/// index of `step` if its pivot is not usable and the status is still zero.
void noteStatus(IndexBuilder &index, mlir::Value &status, int64_t step,
                mlir::Value isUsable);
/// Overload for a step, an i32, that may be known only at run time.
void noteStatus(IndexBuilder &index, mlir::Value &status, mlir::Value step,
                mlir::Value isUsable);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_FACTORSTATUS_H
