// EmitHeader.h - a C header that launches compiled kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_EMITHEADER_H
#define TILE_TARGET_EMITHEADER_H

#include "tile/Runtime/KernelMetadata.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile {

/// Returns a header, valid in C11 and C++17, that includes only cuda.h. It has
/// the binary as bytes, and a function `NAME_load` that loads it. For each
/// kernel it has the block and the shared memory as constants, and a function
/// that launches the kernel. That function computes the grid as the program
/// specifies it, and chooses the entry point that the arguments allow. `stem`
/// is used for the names of the header's guard and of the loading function.
std::string emitHeader(const runtime::ModuleMetadata &metadata,
                       llvm::StringRef binary, llvm::StringRef stem);

} // namespace tile

#endif // TILE_TARGET_EMITHEADER_H
