// EmitPTX.h - from the LLVM dialect to the text that ptxas reads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_EMITPTX_H
#define TILE_TARGET_EMITPTX_H

#include "tile/Analysis/Architecture.h"
#include "tile/Target/ToolkitFile.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tile {

struct EmitPTXOptions {
  /// Version times ten; 0 is the least that the module's instructions and the
  /// architecture need.
  int ptxVersion = 0;
  /// Write `.loc` directives for the lines of the tile program.
  bool lineTables = true;
  /// The bitcode of libdevice, for kernels that call it.
  ToolkitFile libdevice;
  /// Also keep the optimised LLVM IR.
  bool keepLLVMIR = false;
};

struct EmittedPTX {
  std::string ptx;
  /// LLVM IR, only if requested.
  std::string llvmIR;
};

/// The code of a module in the LLVM and NVVM dialects, optimised by LLVM's O3
/// pipeline. The module's locations become line tables, and operations without
/// an intrinsic inline PTX; it is otherwise unchanged. Instructions that the
/// architecture lacks, code that LLVM refuses, a missing libdevice and a
/// function without a body are errors at the operation. No code is made of the
/// host's functions (HostCode.h).
///
/// Safe to call from several threads on modules of different contexts.
/// @pre the context has the translations of registerAllDialects
/// (Registration.h).
mlir::FailureOr<EmittedPTX> emitPTX(mlir::ModuleOp module,
                                    const Architecture &architecture,
                                    const EmitPTXOptions &options = {});

} // namespace tile

#endif // TILE_TARGET_EMITPTX_H
