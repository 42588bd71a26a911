// CompileAlone.h - one kernel of several, for the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_LIB_COMPILEALONE_H
#define TILE_TEST_LIB_COMPILEALONE_H

#include "tile/Execution/EmulatorJit.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace tile::test {

/// The kernel `name` of a copy of `module`, which has been through phase 8:
/// without the others, and as one that is no body of another's.
llvm::Expected<std::unique_ptr<EmulatorProgram>>
compileAlone(mlir::ModuleOp module, llvm::StringRef name);

} // namespace tile::test

#endif // TILE_TEST_LIB_COMPILEALONE_H
