// EmitHeader.h - a C header that launches compiled kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_EMITHEADER_H
#define TILE_TARGET_EMITHEADER_H

#include "tile/Runtime/KernelMetadata.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile {

/// Returns a header in the common language of C11 and C++17 that needs only
/// cuda.h: the binary as bytes, `NAME_load` for it, and for each kernel its
/// block and shared memory as constants and a function that launches it, with
/// the grid as the program states it and the entry point that the arguments
/// allow. `stem` names the header's guard and the loading function.
std::string emitHeader(const runtime::ModuleMetadata &metadata,
                       llvm::StringRef binary, llvm::StringRef stem);

} // namespace tile

#endif // TILE_TARGET_EMITHEADER_H
