// GpuModules.h - kernels in gpu.module, launched by gpu.launch_func
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of hosts whose code goes through MLIR's gpu dialect: `-tile-to-gpu`
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

/// Launch of a kernel, in terms of the program.
struct GpuLaunch {
  /// The gpu.module with the kernel's entry points.
  mlir::StringAttr module;
  const runtime::KernelMetadata *kernel = nullptr;
  /// Arguments as the program declares them: arrays are memrefs.
  mlir::ValueRange arguments;
  /// Three extents, or none for the kernel's grid. @pre it has one.
  mlir::ValueRange grid;
  /// Tokens that it waits for, and whether it returns one.
  mlir::ValueRange dependencies;
  bool isAsync = false;
};

/// Launches, by the ABI of KernelMetadata.h, the first entry point whose
/// predicates hold, if the grid has blocks; workspaces are allocated and freed
/// around it. The token, or null. The host waits for the launch, also if it
/// gives a token, where that is not of one entry point and of constant extents.
mlir::Value createGpuLaunch(mlir::OpBuilder &builder, mlir::Location loc,
                            const GpuLaunch &launch);

} // namespace tile

#endif // TILE_TARGET_GPUMODULES_H
