// Accesses.h - loads, stores and atomics, announced to the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_ACCESSES_H
#define TILE_CONVERSION_NVVMTOEMULATOR_ACCESSES_H

#include "RuntimeCalls.h"
#include "SiteTable.h"

namespace tile {

/// Returns the address space of a pointer of the LLVM dialect.
emulator::AddressSpace getAddressSpace(mlir::Value pointer);

/// Whether a pointer is to memory of one thread, allocated by an alloca.
bool isPrivate(mlir::Value pointer);

/// Inserts calls that announce the accesses of `function` to the emulator,
/// except for accesses to memory of one thread. An access is announced in the
/// pieces in which NVPTX emits it: one of B bytes with alignment A as accesses
/// of min(A, B, 16) bytes. A masked access becomes branches around accesses of
/// one element. The accesses themselves remain, for the host to execute; their
/// alignment becomes 1, since the emulator reports misaligned addresses.
void convertAccesses(mlir::LLVM::LLVMFuncOp function, RuntimeCalls &calls,
                     SiteTable &sites);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_ACCESSES_H
