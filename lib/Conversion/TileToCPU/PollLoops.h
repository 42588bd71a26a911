// PollLoops.h - loops of a program that the run can end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETOCPU_POLLLOOPS_H
#define TILE_CONVERSION_TILETOCPU_POLLLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::cpu {

/// Asks in each iteration of the loops of a kernel's function, as long as it
/// has no others than the program, whether the run is to end.
void addPolls(mlir::func::FuncOp function);

} // namespace tile::cpu

#endif // TILE_CONVERSION_TILETOCPU_POLLLOOPS_H
