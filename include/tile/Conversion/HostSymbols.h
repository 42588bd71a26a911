// HostSymbols.h - prefix of the names of a program in code of the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code is linked with the C library. Without a prefix, LLVM would call a
// kernel named `exp` to compute an exponential, and a kernel named `free` to
// free its buffers. Every definition of a program therefore gets a prefix in
// host code.

#ifndef TILE_CONVERSION_HOSTSYMBOLS_H
#define TILE_CONVERSION_HOSTSYMBOLS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tile {

/// Returns the name that the program's symbol `name` has in code of the host.
std::string getHostSymbol(llvm::StringRef name);
/// Returns the program's symbol whose name in code of the host is `name`.
/// @pre `name` was returned by `getHostSymbol`.
llvm::StringRef getProgramSymbol(llvm::StringRef name);

/// Renames all definitions of `module` to their names in code of the host
/// (getHostSymbol). Declarations keep their names.
void renameToHostSymbols(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_CONVERSION_HOSTSYMBOLS_H
