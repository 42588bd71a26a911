// Conversions from the tile dialect to upstream's dialects, and to the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_PASSES
#define TILE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTileToCPU : Pass<"convert-tile-to-cpu", "::mlir::ModuleOp"> {
  let summary = "turn tile programs into functions on tensors and arrays";
  let description = [{
    Converts kernels for the CPU path, which runs programs without a GPU and is a
    reference for the GPU path: it shares no code with layouts, tiling or storage. A
    tile becomes a `tensor` (with i8 for elements of f8), an elementwise operation a
    `linalg.generic`, and a load or store a loop over the part of its box that lies
    inside the array.

    ```mlir
    // before
    %u = arith.addf %t, %t : !tile.tile<8xf32>

    // after
    %e = tensor.empty() : tensor<8xf32>
    %u = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
        ins(%t, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    ```

    A kernel becomes two functions. The first one runs one block:

    `_tile_program_NAME(flat parameters of the kernel ABI..., bx, by, bz, gx, gy, gz :
    i64)`

    An array is passed as an aligned pointer, its run-time sizes, and its run-time
    strides. After all arguments come the block's index and the extents of the grid. The
    second function, `_tile_entry_NAME(args)`, takes an array of pointers to these
    parameters and calls the first.

    Arithmetic on f16, bf16 and f8 is computed in f32 and rounded after each operation,
    which gives the correctly rounded result of +, -, *, / and square root.

    Preconditions: kernels have no calls (`-tile-canonical-form`). Operations that only
    phases of the GPU path create are refused.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::complex::ComplexDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"];
}

def ConvertNVVMToEmulator : Pass<"convert-nvvm-to-emulator", "::mlir::ModuleOp"> {
  let summary = "turn compiled kernels into code of the host";
  let description = [{
    Converts compiled kernels for the emulator, which runs them without a GPU. The input
    is the result of phase 9, in the LLVM and NVVM dialects, before LLVM's NVPTX backend
    runs and libdevice is linked.

    A kernel becomes a function `_tile_program_NAME(thread, params)` for one GPU thread.
    `params` is an array of pointers to the kernel's arguments, like `kernelParams` of
    cuLaunchKernel. Each instruction that needs other threads or the state of the GPU
    becomes a runtime call (tile/Emulator/Calls.h), with the thread and the index of the
    instruction's site. Each access to global or shared memory is preceded by such a
    call. LLVM may not merge, duplicate or move these calls. The external symbol of
    shared memory becomes an address that the emulator provides; all pointers are
    pointers of the host.

    ```mlir
    // before
    llvm.func @k(%a: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel, ...} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32

    // after
    llvm.func @k(%thread: !llvm.ptr, %params: !llvm.ptr) {
      %p = llvm.load %params : !llvm.ptr -> !llvm.ptr
      %a = llvm.load %p : !llvm.ptr -> !llvm.ptr
      %tid = llvm.call @tile_emulator_thread_index(%thread, %x) : (!llvm.ptr, i32) -> i32
    ```

    Where LLVM does not define the result of arithmetic (a division by zero, a shift by
    the width or more, a float out of the integer's range), the result is the one that
    the tile dialect defines, as on a GPU. Fused multiply-adds of f16 and bf16 are
    rounded once.

    The module's attribute `tile.sites` lists the sites by their indices. An instruction
    that the emulator does not support is an error, which names the instruction.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FuseElementwise : Pass<"tile-fuse-elementwise"> {
  let summary = "merge elementwise loops of the CPU path";
  let description = [{
    Applies upstream's fusion of `linalg.generic` on tensors if it does not repeat
    computations: if the consumer has no reduction, reads each element of the producer
    once, and is its only user. A producer without inputs is always fused.

    ```mlir
    // before
    %s = linalg.generic ... ins(%a, %b) { arith.addf }
    %p = linalg.generic ... ins(%s, %c) { arith.mulf }

    // after
    %p = linalg.generic ... ins(%a, %b, %c) { arith.addf, arith.mulf }
    ```
  }];
}

def ReuseDestinations : Pass<"tile-reuse-destinations", "::mlir::ModuleOp"> {
  let summary = "compute inserted boxes in place";
  let description = [{
    Applies upstream's elimination of `tensor.empty`: a tensor that is inserted into
    another one is computed in the box of this one. A tensor from outside of the loop
    that inserts into it does not change, since each iteration needs its elements.

    ```mlir
    // before
    %e = tensor.empty() : tensor<3xf32>
    %b = linalg.generic ... outs(%e)
    %t = tensor.insert_slice %b into %d[%i] [3] [1]

    // after
    %e = tensor.extract_slice %d[%i] [3] [1]
    %b = linalg.generic ... outs(%e)
    %t = tensor.insert_slice %b into %d[%i] [3] [1]
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandCopies : Pass<"tile-expand-copies"> {
  let summary = "turn copies of buffers into loops";
  let description = [{
    Each `memref.copy` becomes a `linalg.copy`, and thus a loop. Upstream would lower a
    `memref.copy` of a part of a buffer (a strided memref) to a call of a library
    function.

    ```mlir
    // before
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>

    // after
    linalg.copy ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ExpandScalarOps : Pass<"tile-expand-scalar-ops", "::mlir::ModuleOp"> {
  let summary = "lower scalar operations without a good counterpart in LLVM";
  let description = [{
    Integer divisions that round up or down become truncating divisions with a
    correction. Functions that LLVM would approximate (`expm1`, `log1p`) or does not
    have (`erf`, `tanh`, ...) become calls of the C library. `isinf` and `isnormal`,
    which upstream's conversions do not lower, become `llvm.is.fpclass`.

    ```mlir
    // before
    %y = math.erf %x : f32

    // after
    %y = func.call @erff(%x) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def DefineArithmetic : Pass<"tile-define-arithmetic", "::mlir::ModuleOp"> {
  let summary = "give integer arithmetic of the host the results that the dialect "
                "defines";
  let description = [{
    LLVM does not define the result of a division by zero, of a signed division that
    overflows, of a shift by the width of the integer or more, and of a conversion of a
    float that is out of the integer's range. The pass replaces these operations of the
    LLVM dialect by operations with the results that the tile dialect defines
    (docs/reference/dialect/Compute.md). In code for a GPU,
    `-convert-tile-kernel-to-nvvm` does this.

    ```mlir
    // before
    %s = llvm.lshr %x, %n : i32

    // after
    %isLarge = llvm.icmp "uge" %n, %c32 : i32
    %amount = llvm.select %isLarge, %c0, %n : i1, i32
    %shifted = llvm.lshr %x, %amount {tile.defined} : i32
    %s = llvm.select %isLarge, %c0, %shifted : i1, i32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TILE_CONVERSION_PASSES
