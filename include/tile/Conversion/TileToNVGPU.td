// Phase 9: from tiles to NVGPU, GPU, vector and memref, then to NVVM.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU
#define TILE_CONVERSION_TILETONVGPU

include "mlir/Pass/PassBase.td"

def ConvertTileToNVGPU : Pass<"convert-tile-to-nvgpu", "::mlir::ModuleOp"> {
  let summary = "turn tiles into the registers and addresses of one thread";
  let description = [{
    Phase 9, first half. A tile in registers becomes the values that one thread
    holds, a buffer a range of the kernel's shared memory, a product `ldmatrix`
    and `mma.sync` or multiply-adds, a load or store vector accesses with the
    alignment that was proved.

    Expects what `-tile-insert-barriers` leaves. Postconditions: no tile operation but
    `tile.kernel` and `tile.return`, arrays in `#gpu.address_space<global>`, no
    function of the host.
  }];
}

def ConvertKernelToNVVM : Pass<"convert-tile-kernel-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "turn kernels into functions of the LLVM dialect";
  let description = [{
    Phase 9, second half. A kernel becomes an `llvm.func` with `nvvm.kernel` and
    the ABI that callers hold on to: an array is an aligned pointer, then its
    run-time sizes, then its run-time strides, each i64; a scalar is itself,
    `index` an i64. Control flow becomes branches; upstream's patterns lower the
    rest.

    Postconditions: the LLVM and NVVM dialects only.
  }];
}

#endif // TILE_CONVERSION_TILETONVGPU
