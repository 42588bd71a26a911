// UpstreamHints.h - notes on operations that replace upstream ones on tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_UPSTREAMHINTS_H
#define TILE_LIB_IR_UPSTREAMHINTS_H

#include "mlir/IR/Diagnostics.h"

namespace tile {

/// Adds to errors of upstream operations that take no tiles a note that names
/// the operation that does.
void addUpstreamHints(mlir::DiagnosticEngine &engine);

} // namespace tile

#endif // TILE_LIB_IR_UPSTREAMHINTS_H
