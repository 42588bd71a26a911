// EmitPTX.h - translate the LLVM dialect to PTX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_EMITPTX_H
#define TILE_TARGET_EMITPTX_H

#include "tile/Analysis/Architecture.h"
#include "tile/Target/ToolkitFile.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tile {

struct EmitPTXOptions {
  /// PTX version times ten; 0 for the least that the instructions and the
  /// architecture need.
  int ptxVersion = 0;
  /// Whether the PTX has `.loc` directives for the lines of the tile program.
  bool lineTables = true;
  /// The bitcode of libdevice, for kernels that call it.
  ToolkitFile libdevice;
  /// Whether the result also contains the optimised LLVM IR.
  bool keepLLVMIR = false;
};

struct EmittedPTX {
  std::string ptx;
  /// LLVM IR, only if requested.
  std::string llvmIR;
};

/// Returns the code of a module in the LLVM and NVVM dialects, optimised by
/// LLVM's O3 pipeline. In the module, locations become line tables, and
/// operations without an intrinsic become inline PTX; it is otherwise
/// unchanged. It is an error at the operation if the architecture lacks an
/// instruction, if LLVM refuses the code, if libdevice is missing, or if a
/// function has no body. Functions of the host (HostCode.h) are left out.
///
/// Safe to call from several threads on modules of different contexts.
/// @pre the context has the translations of registerAllDialects
/// (Registration.h).
mlir::FailureOr<EmittedPTX> emitPTX(mlir::ModuleOp module,
                                    const Architecture &architecture,
                                    const EmitPTXOptions &options = {});

} // namespace tile

#endif // TILE_TARGET_EMITPTX_H
