// FftDistributions.h - threads that have the rows that they transform
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_FFTDISTRIBUTIONS_H
#define TILE_LIB_IR_FFTDISTRIBUTIONS_H

#include "mlir/IR/MLIRContext.h"

namespace tile {

/// Attaches CooperativeOpInterface to Fourier transforms.
void addFftDistributions(mlir::MLIRContext &context);

} // namespace tile

#endif // TILE_LIB_IR_FFTDISTRIBUTIONS_H
