// ZeroDivisors.h - quotients by zero, followed to where they are used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_ZERODIVISORS_H
#define TILE_CONVERSION_NVVMTOEMULATOR_ZERODIVISORS_H

#include "RuntimeCalls.h"
#include "SiteTable.h"

namespace tile {

/// Adds calls that report to the emulator each store or branch, and each
/// address of an access, that depends on the result of a division by zero.
/// @pre the function's arithmetic is defined (DefineArithmetic.h), and its
/// accesses are operations of LLVM.
void followZeroDivisors(mlir::LLVM::LLVMFuncOp function, RuntimeCalls &calls,
                        SiteTable &sites);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_ZERODIVISORS_H
