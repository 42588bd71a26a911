// PollLoops.h - loops of a program that the run can end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETOCPU_POLLLOOPS_H
#define TILE_CONVERSION_TILETOCPU_POLLLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::cpu {

/// Makes the loops of a kernel's function query in their iterations whether the
/// run is to end. Must run while the function has no other loops than the
/// program.
void addPolls(mlir::func::FuncOp function);

} // namespace tile::cpu

#endif // TILE_CONVERSION_TILETOCPU_POLLLOOPS_H
