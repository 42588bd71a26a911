// RegisterDemand.h - registers that a kernel's values need
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_REGISTERDEMAND_H
#define TILE_TARGET_REGISTERDEMAND_H

#include "tile/Analysis/Architecture.h"

#include "llvm/IR/Module.h"

namespace tile {

/// Estimates the maximum number of registers of 4 bytes that the live values of
/// a thread need, in the order of the IR.
int64_t estimateRegisters(const llvm::Function &function);

/// Makes ptxas give each thread of a kernel that would spill all registers that
/// one block leaves to a thread (PTX ISA, ".minnctapersm"). Without it ptxas
/// (13.0) gives a thread of such a kernel 32 registers, as if many blocks were
/// to run at a time, and spills the rest. For a kernel that does not spill,
/// ptxas chooses better between registers and resident blocks.
void askForRegisters(llvm::Module &module, const Architecture &architecture);

} // namespace tile

#endif // TILE_TARGET_REGISTERDEMAND_H
