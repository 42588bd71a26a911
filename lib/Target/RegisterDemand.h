// RegisterDemand.h - registers that a kernel's values need
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_REGISTERDEMAND_H
#define TILE_TARGET_REGISTERDEMAND_H

#include "tile/Analysis/Architecture.h"

#include "llvm/IR/Module.h"

namespace tile {

/// Registers of 4 bytes that the values of a thread take where most of them
/// live at a time, in the order of the IR.
int64_t estimateRegisters(const llvm::Function &function);

/// Has ptxas give a thread of each kernel that will spill all registers that
/// there are for one block (PTX ISA, ".minnctapersm"). Without it ptxas (13.0)
/// gives such a kernel 32, as if many blocks were to run at a time, and spills
/// what the others would hold; of a kernel that spills nothing it knows better
/// how many registers are worth their blocks.
void askForRegisters(llvm::Module &module, const Architecture &architecture);

} // namespace tile

#endif // TILE_TARGET_REGISTERDEMAND_H
