// PollLoops.h - loops that query whether the run is to end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETOCPU_POLLLOOPS_H
#define TILE_CONVERSION_TILETOCPU_POLLLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::cpu {

/// Makes the loops of a kernel's function query, every few iterations, whether
/// the run is to end. Must run before other loops than those of the program are
/// built.
void addPolls(mlir::func::FuncOp function);

} // namespace tile::cpu

#endif // TILE_CONVERSION_TILETOCPU_POLLLOOPS_H
