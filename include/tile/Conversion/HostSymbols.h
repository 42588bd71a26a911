// HostSymbols.h - names of a program that are no one else's
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of the host meets the C library: a kernel called `exp` would be what
// LLVM calls for an exponential, one called `free` what frees its buffers. So
// what a program defines gets a prefix there.

#ifndef TILE_CONVERSION_HOSTSYMBOLS_H
#define TILE_CONVERSION_HOSTSYMBOLS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tile {

/// The name in code of the host of what a program calls `name`.
std::string getHostSymbol(llvm::StringRef name);
/// The inverse. @pre it is such a name.
llvm::StringRef getProgramSymbol(llvm::StringRef name);

/// Gives all that `module` defines these names. What it declares keeps its own.
void renameToHostSymbols(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_CONVERSION_HOSTSYMBOLS_H
