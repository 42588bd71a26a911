// Conversion of kernels and launches to MLIR's gpu dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_PASSES
#define TILE_TARGET_PASSES

include "mlir/Pass/PassBase.td"

def TileToGpu : Pass<"tile-to-gpu", "::mlir::ModuleOp"> {
  let summary = "compile kernels to gpu modules, and turn launches into "
                "gpu.launch_func";
  let description = [{
    Compiles the module's own kernels to a new `gpu.module` with the name
    `tile_kernels`, and the kernels of each existing `gpu.module` in place, both as
    `-tile-to-nvvm` does. Each such `gpu.module` gets a target `#tile.gpu_target`, by
    which `gpu-module-to-binary` makes a binary of it.

    Each `tile.launch`, and each `gpu.launch_func` of one of these kernels in a
    `gpu.module`, becomes a `gpu.launch_func` of an entry point. The operands of the
    latter have the types of the kernel's arguments, memrefs included. (MLIR requires
    the attribute `gpu.kernel` on such a kernel.) The grid is kept, and the block size
    is that of the compiled kernel. An array is passed as its address, run-time sizes
    and run-time strides. If the kernel has several variants, the first one whose
    assumptions hold for the arguments is launched. Workspaces are allocated before a
    launch and freed after it, by asynchronous operations of the gpu dialect. A grid
    without blocks launches nothing. An asynchronous launch stays asynchronous if the
    kernel has one entry point and the grid's extents are constants. Otherwise the host
    waits for it, because upstream's lowering does not support tokens through branches.

    Arrays that a function with a `tile.launch` allocates (`memref.alloc`,
    `memref.alloca`), or gets as constants by `memref.get_global`, and passes to a
    kernel, become memory of the GPU. It is allocated by `gpu.alloc`, and freed at the
    `memref.dealloc`, or at the end of the block if there is none. An operation of the
    host that accesses such an array is refused. The arrays of an existing
    `gpu.launch_func` are not changed.

    Preconditions: kernels are at level `source`, `decomposed`, `distributed` or
    `buffered`. If the module itself has kernels, it has no symbol `tile_kernels`.

    Postconditions: there is no `tile.kernel` and no `tile.launch`, and the module is a
    `gpu.container_module`. Functions of the host are otherwise unchanged.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture to compile for; by default that of the gpu.module's "
           "#tile.gpu_target, else the module's tile.target, else sm_80">];
}

#endif // TILE_TARGET_PASSES
