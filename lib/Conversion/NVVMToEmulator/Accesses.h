// Accesses.h - loads, stores and atomics, announced to the machine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_ACCESSES_H
#define TILE_CONVERSION_NVVMTOEMULATOR_ACCESSES_H

#include "RuntimeCalls.h"
#include "SiteTable.h"

namespace tile {

/// Returns the address space of a pointer of the LLVM dialect.
emulator::AddressSpace getAddressSpace(mlir::Value pointer);

/// Whether a pointer is to memory of the thread itself, that is, of an alloca.
bool isPrivate(mlir::Value pointer);

/// Announces each access of `function` that is not to memory of the thread,
/// in the pieces in which NVPTX emits it: an access of B bytes with alignment A
/// is B / min(A, 16) accesses. Masked ones become branches around accesses of
/// one element. The accesses themselves remain, for the host to execute, with
/// alignment 1, since the emulator reports misaligned addresses.
void convertAccesses(mlir::LLVM::LLVMFuncOp function, RuntimeCalls &calls,
                     SiteTable &sites);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_ACCESSES_H
