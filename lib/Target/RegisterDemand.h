// RegisterDemand.h - registers that a kernel's values need
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_REGISTERDEMAND_H
#define TILE_TARGET_REGISTERDEMAND_H

#include "tile/Analysis/Architecture.h"

#include "llvm/IR/Module.h"

namespace tile {

/// Estimates how many registers of 4 bytes the live values of a thread need at
/// most, if instructions stay in the order of the IR.
int64_t estimateRegisters(const llvm::Function &function);

/// Handles kernels that would spill registers: requests one resident block (PTX
/// ISA, ".minnctapersm"), so that ptxas gives each thread as many registers as
/// one block allows. Otherwise ptxas (13.0) gives a thread of such a kernel 32
/// registers, as if many blocks were to be resident, and spills the rest. For
/// kernels that do not spill, the choice of ptxas between registers and
/// resident blocks is better.
void askForRegisters(llvm::Module &module, const Architecture &architecture);

} // namespace tile

#endif // TILE_TARGET_REGISTERDEMAND_H
