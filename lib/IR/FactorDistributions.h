// FactorDistributions.h - threads that have the matrices that they factor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_FACTORDISTRIBUTIONS_H
#define TILE_LIB_IR_FACTORDISTRIBUTIONS_H

#include "mlir/IR/MLIRContext.h"

namespace tile {

/// Attaches CooperativeOpInterface to factorisations and what solves by them.
void addFactorDistributions(mlir::MLIRContext &context);

} // namespace tile

#endif // TILE_LIB_IR_FACTORDISTRIBUTIONS_H
