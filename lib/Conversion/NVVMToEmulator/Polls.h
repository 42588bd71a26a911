// Polls.h - loops that the emulator can end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_POLLS_H
#define TILE_CONVERSION_NVVMTOEMULATOR_POLLS_H

#include "RuntimeCalls.h"
#include "SiteTable.h"

namespace tile {

/// Adds a call of the emulator (tile_emulator_poll) at the end of each
/// iteration of each loop of `function`.
void addPolls(mlir::LLVM::LLVMFuncOp function, RuntimeCalls &calls,
              SiteTable &sites);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_POLLS_H
