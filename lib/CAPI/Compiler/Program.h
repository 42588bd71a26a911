// Program.h - reads the program that is passed to a call of the C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_COMPILER_PROGRAM_H
#define TILE_LIB_CAPI_COMPILER_PROGRAM_H

#include "Compiler.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile::capi {

using ProgramBody = llvm::function_ref<mlir::LogicalResult(
    Compiler &, mlir::ModuleOp, Result &)>;

/// Reads a program, text or bytecode, and runs `body` on its module and a new
/// result. Sets `*result` if `body` was run or if the program could not be
/// read. The result has the diagnostics of reading and of `body`, and has no
/// outputs on failure.
tile_status withProgram(tile_compiler *compiler, const void *program,
                        size_t size, const std::string &name,
                        tile_result **result, ProgramBody body);

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMPILER_PROGRAM_H
