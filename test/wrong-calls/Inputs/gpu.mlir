// A module that -tile-to-gpu wrote.
module attributes {gpu.container_module} {
  gpu.module @tile_kernels [#tile.gpu_target<"sm_80">] {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}
