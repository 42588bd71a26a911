// CompileAlone.h - compiles one kernel of a module for the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_LIB_COMPILEALONE_H
#define TILE_TEST_LIB_COMPILEALONE_H

#include "tile/Execution/EmulatorJit.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace tile::test {

/// Compiles the kernel `name` of `module`, which has been through phase 8, for
/// the emulator. Other kernels are left out, and a generic variant is compiled
/// as a kernel of its own. The module is not modified.
llvm::Expected<std::unique_ptr<EmulatorProgram>>
compileAlone(mlir::ModuleOp module, llvm::StringRef name);

} // namespace tile::test

#endif // TILE_TEST_LIB_COMPILEALONE_H
