// RowDistributions.h - threads that have the rows that they sort or scan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_ROWDISTRIBUTIONS_H
#define TILE_LIB_IR_ROWDISTRIBUTIONS_H

#include "mlir/IR/MLIRContext.h"

namespace tile {

/// Attaches CooperativeOpInterface to sorts and scans.
void addRowDistributions(mlir::MLIRContext &context);

} // namespace tile

#endif // TILE_LIB_IR_ROWDISTRIBUTIONS_H
