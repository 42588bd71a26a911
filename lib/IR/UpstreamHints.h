// UpstreamHints.h - notes on operations that replace upstream ones on tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_UPSTREAMHINTS_H
#define TILE_LIB_IR_UPSTREAMHINTS_H

#include "mlir/IR/Diagnostics.h"

namespace tile {

/// Adds a note to errors of upstream operations that do not take tiles. The
/// note names the operation that takes them.
void addUpstreamHints(mlir::DiagnosticEngine &engine);

} // namespace tile

#endif // TILE_LIB_IR_UPSTREAMHINTS_H
