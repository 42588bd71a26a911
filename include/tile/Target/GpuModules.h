// GpuModules.h - kernels in gpu.module, launched by gpu.launch_func
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For hosts whose code is lowered through MLIR's gpu dialect: `-tile-to-gpu`
// lowers kernels into a gpu.module and their launches to gpu.launch_func, and
// upstream's gpu-module-to-binary makes the binary by `#tile.gpu_target`.

#ifndef TILE_TARGET_GPUMODULES_H
#define TILE_TARGET_GPUMODULES_H

#include "tile/Runtime/KernelMetadata.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace tile {

#define GEN_PASS_DECL
#include "tile/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/Target/Passes.h.inc"

/// Gives `#tile.gpu_target` the interface that gpu-module-to-binary calls.
///
/// The `toolkit` option of that pass is the folder of the CUDA toolkit, with
/// bin/ptxas, bin/fatbinary and nvvm/libdevice, and `format` is isa (PTX), bin
/// (a cubin) or fatbin.
void registerGpuTargets(mlir::DialectRegistry &registry);

/// A launch of a kernel with the arguments and the grid of the program.
struct GpuLaunch {
  /// The gpu.module with the kernel's entry points.
  mlir::StringAttr module;
  const runtime::KernelMetadata *kernel = nullptr;
  /// Arguments as the program declares them: arrays are memrefs.
  mlir::ValueRange arguments;
  /// Three extents; empty for the kernel's own grid. @pre the kernel then has
  /// one.
  mlir::ValueRange grid;
  /// Tokens for which the launch waits, and whether it returns a token.
  mlir::ValueRange dependencies;
  bool isAsync = false;
};

/// Creates a launch by the ABI of KernelMetadata.h. If the grid has blocks, the
/// code launches the first entry point whose predicates hold, and allocates and
/// frees workspaces around the launch. Returns the token, or null. If there are
/// several entry points or the extents are not constant, the host waits for the
/// launch, even if it returns a token.
mlir::Value createGpuLaunch(mlir::OpBuilder &builder, mlir::Location loc,
                            const GpuLaunch &launch);

} // namespace tile

#endif // TILE_TARGET_GPUMODULES_H
