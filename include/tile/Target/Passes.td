// The way through MLIR's gpu dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_PASSES
#define TILE_TARGET_PASSES

include "mlir/Pass/PassBase.td"

def TileToGpu : Pass<"tile-to-gpu", "::mlir::ModuleOp"> {
  let summary = "kernels to gpu modules, launches to gpu.launch_func";
  let description = [{
    Compiles the kernels of the module into a `gpu.module` of the name
    `tile_kernels`, and those in each `gpu.module` of the module into the same
    one, as `-tile-to-nvvm` does. The module is then to be made a binary by
    `gpu-module-to-binary`, by the target `#tile.gpu_target` that it is given.

    Launches become `gpu.launch_func` of entry points: a `tile.launch`, and a
    `gpu.launch_func` of a kernel in a `gpu.module`, whose arguments are those of
    the kernel, memrefs as they are. (MLIR wants `gpu.kernel` on such a kernel.)
    Its grid stays, its block size is that of the compiled kernel. An array
    becomes its address and its run-time sizes and strides; of several variants
    the first is launched whose assumptions hold of the arguments; workspaces
    are allocated before and freed after a launch, by the asynchronous
    operations of the gpu dialect. A grid without blocks launches nothing. An
    asynchronous launch stays one where there is nothing to choose, one entry
    point and constant extents of the grid; else the host waits for it, as
    upstream's lowering takes no tokens through branches.

    Arrays that a function of `tile.launch` allocates by `memref.alloc`, or has as a
    constant by `memref.get_global`, and gives to a kernel become memory of the
    GPU: allocated by `gpu.alloc`, and freed at `memref.dealloc` or at the end
    of the block. An operation of the host that accesses such an array is
    refused. Arguments of a `gpu.launch_func` are not changed.

    Preconditions: kernels at the level source, decomposed, distributed or
    buffered; no `gpu.module` of the name `tile_kernels`.

    Postconditions: no `tile.kernel`, no `tile.launch`; the module is a
    `gpu.container_module`. Functions of the host are otherwise as they were.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture to compile for; without it that of the "
           "gpu.module's #tile.gpu_target, else the module's tile.target, else "
           "sm_80">];
}

#endif // TILE_TARGET_PASSES
