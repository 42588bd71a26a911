// Compiler.h - from a module of tile programs to code that a launcher can run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a module in one call, for tools and for other compilers that embed
// this one. There is no global state: modules of different contexts may be
// compiled at the same time.

#ifndef TILE_TARGET_COMPILER_H
#define TILE_TARGET_COMPILER_H

#include "tile/Analysis/Architecture.h"
#include "tile/Pipelines/TileToNVVM.h"
#include "tile/Report/PassText.h"
#include "tile/Report/Report.h"
#include "tile/Runtime/KernelMetadata.h"
#include "tile/Target/ToolkitFile.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tile {

/// Last stage of a compilation.
enum class CompileStage {
  kLLVMDialect, ///< the module in the LLVM dialect, metadata without entries'
                ///< counts
  kPTX,         ///< also LLVM IR, PTX and the counts of its instructions
  kCubin        ///< also the cubin, and the facts that ptxas reports
};

struct CompileOptions {
  /// Architecture, tiling and checks, as the options of -tile-to-nvvm. The
  /// tiling is used for kernels at level source or decomposed whose matmuls
  /// have no tiling yet.
  TileToNVVMOptions pipeline;
  CompileStage stage = CompileStage::kCubin;
  /// Whether a missing ptxas is only a warning; the result then has PTX but no
  /// cubin.
  bool cubinIsOptional = false;
  /// PTX version times ten; 0 for the least that suffices.
  int ptxVersion = 0;
  /// Whether the code contains the lines of the tile program.
  bool lineTables = true;
  /// Whether the result contains LLVM IR.
  bool keepLLVMIR = false;
  /// Whether the result contains the report. Counting bank conflicts takes
  /// time.
  bool keepReport = false;
  /// Whether the result contains the IR after each pass. Passes then run one at
  /// a time.
  bool keepPhases = false;
  /// The program ptxas, needed for a cubin, and libdevice, needed for kernels
  /// that call its functions.
  ToolkitFile ptxas, libdevice;
  /// A directory for the IR after each pass and for the results; empty for
  /// none.
  std::string dumpDirectory;
};

struct CompiledModule {
  const Architecture *architecture = nullptr;
  std::string llvmIR;
  std::string ptx;
  std::string cubin;
  /// The metadata of each kernel with its entry points; empty for a module of
  /// kernels that were lowered before.
  runtime::ModuleMetadata metadata;
  ModuleReport report;
  /// The IR after each pass, in the order in which passes ran; empty unless
  /// requested.
  std::vector<PassText> phases;
};

/// Compiles the kernels of `module`, which are in the LLVM dialect afterwards.
///
/// Functions that no kernel calls are the host's. They stay as they are, except
/// that private ones without a caller and those on tiles are removed. The
/// metadata has the functions that launch kernels (DescribeHostFunctions.h). A
/// remark at each other function states that it is in none of the results, or
/// no longer in the module if the module is the result.
///
/// Kernels that claim to be at level buffered, as -tile-phases leaves them, are
/// compiled from there on. In every case, a kernel is verified to be at that
/// level, including the proof of synchronization, before code is made of it. If
/// the kernels of a module are already lowered to the LLVM dialect, PTX is
/// made, without metadata.
///
/// A program that cannot be compiled is an error at its line. So are a kernel
/// in a nested module, a module without kernels, and, for a cubin, a kernel
/// that is already lowered.
/// @pre the context has the dialects of registerAllDialects (Registration.h).
mlir::FailureOr<CompiledModule> compile(mlir::ModuleOp module,
                                        const CompileOptions &options);

/// Removes all kernels except `name` and its generic variant, and the functions
/// that launch a removed kernel. If no kernel has the name, the error lists the
/// kernels of the module.
mlir::LogicalResult keepKernel(mlir::ModuleOp module, llvm::StringRef name);

} // namespace tile

#endif // TILE_TARGET_COMPILER_H
