// Phase 9: from tiles to NVGPU, GPU, vector and memref, then to NVVM.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU
#define TILE_CONVERSION_TILETONVGPU

include "mlir/Pass/PassBase.td"

def ConvertTileToNVGPU : Pass<"convert-tile-to-nvgpu", "::mlir::ModuleOp"> {
  let summary = "turn tiles into the registers and addresses of one thread";
  let description = [{
    Phase 9, first half. A tile in registers becomes the values that one thread holds,
    and a buffer a range of the kernel's shared memory. A matmul becomes `ldmatrix` and
    `mma.sync`, `wgmma`, or multiply-adds. A load or store becomes vector accesses, of
    the width and with the bounds tests of its access plan. The pass is one dialect
    conversion, in which the type of a register tile becomes N types, also in loops and
    branches.

    ```mlir
    // before, in a block of 64
    %t = tile.load %x[%c0] : memref<1024xf32> -> !tile.tile<256xf32, #tile.register<...>>
    %u = arith.addf %t, %t : !tile.tile<256xf32, #tile.register<...>>

    // after
    %thread = gpu.thread_id x
    %part = memref.reinterpret_cast %base to offset: [%offset], sizes: [256], strides: [1] : ...
    %v = vector.load %part[%c0] {alignment = 16 : i64}
        : memref<256xf32, strided<[1], offset: ?>, #gpu.address_space<global>>, vector<4xf32>
    %t0 = vector.extract %v[0] : f32 from vector<4xf32>
    %u0 = arith.addf %t0, %t0 : f32
    ... // and three more elements; after a test, element by element at the array's edge
    ```

    Preconditions: the postconditions of phases 1 to 8.

    Postconditions: kernels have no tile operation except `tile.return` and
    `tile_gpu.warpgroup_mma`, and their arrays are in `#gpu.address_space<global>`.
    Functions of the host, which no kernel calls, are unchanged.
  }];
}

def ConvertKernelToNVVM : Pass<"convert-tile-kernel-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "turn kernels into functions of the LLVM dialect";
  let description = [{
    Phase 9, second half. A kernel becomes an `llvm.func` with `nvvm.kernel` and the ABI
    on which callers rely. An array is passed as a pointer to its first element, its
    run-time sizes, and its run-time strides, each an i64. A scalar is passed as it is,
    an `index` as an i64. Control flow becomes branches. Upstream's patterns lower most
    other operations.

    ```mlir
    // before
    tile.kernel @k(%a: memref<?x8xf32, strided<[?, 1]>>, %n: index) { ... }

    // after
    llvm.func @k(%a: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias}, %size0: i64,
                 %stride0: i64, %n: i64)
        attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} { ... }
    ```

    Postconditions: there are only operations of the LLVM and NVVM dialects and
    `tile_gpu.warpgroup_mma`, except in functions of the host, which no kernel calls and
    which are unchanged.
  }];
}

#endif // TILE_CONVERSION_TILETONVGPU
