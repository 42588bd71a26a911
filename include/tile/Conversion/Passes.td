// The conversions: from the tile dialect to upstream ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_PASSES
#define TILE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTileToCPU : Pass<"convert-tile-to-cpu", "::mlir::ModuleOp"> {
  let summary = "turn tile programs into functions on tensors and arrays";
  let description = [{
    The way to run without a GPU, and a reference for the way to one: it shares
    no code with layouts, tiling or storage. A tile becomes a `tensor` (f8
    elements as i8), an operation on tiles a `linalg.generic`, a load or a store
    a loop over the part of its box that lies inside the array.

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

    A kernel becomes a function that runs one block,

    `_tile_program_NAME(flat parameters of the kernel ABI..., bx, by, bz, gx, gy, gz : i64)`

    (an array is an aligned pointer, its run-time sizes, its run-time strides;
    then the block's index and the grid), and a second one, `_tile_entry_NAME(args)`,
    that takes an array of pointers to those parameters.

    Arithmetic on f16, bf16 and f8 is done in f32 and rounded after each
    operation, which is the correctly rounded result of +, -, *, / and square
    root.

    Expects kernels without calls (`-tile-canonical-form`). Operations that
    only the phases for the GPU make are refused.
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
    The way to run the compiled kernel itself without a GPU. Expects what phase
    9 leaves: the LLVM and NVVM dialects, before LLVM's NVPTX backend, before
    text of PTX, and before libdevice is linked.

    A kernel becomes a function `_tile_program_NAME(thread, params)` for one GPU thread;
    `params` is an array of pointers to what the kernel got, as kernelParams of
    cuLaunchKernel are. Each instruction that needs other threads or the machine
    becomes a runtime call (tile/Emulator/Calls.h) with the thread and the index
    of its site, and each access to global or shared memory is announced by such
    a call. LLVM may not merge, duplicate or move these calls. The external symbol
    of shared memory becomes the address that the emulator has for it; all
    pointers are those of the host.

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

    Where LLVM leaves the result of arithmetic open (a division by zero, a shift
    by too much, a float out of an integer's range) it is the dialect's; fused
    multiply-adds of f16 and bf16 are rounded once.

    The sites are listed, in their order, in the module's attribute
    `tile.sites`. An instruction that the emulator does not have is an error
    that names it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FuseElementwise : Pass<"tile-fuse-elementwise"> {
  let summary = "merge elementwise loops of the CPU path";
  let description = [{
    Upstream's fusion of `linalg.generic` on tensors, where it computes nothing
    twice: the consumer has no reduction and reads the producer's elements once
    each, and nobody else reads them. An operation without inputs is fused
    everywhere.

    ```mlir
    // before
    %s = linalg.generic ... ins(%a, %b) { arith.addf }
    %p = linalg.generic ... ins(%s, %c) { arith.mulf }

    // after
    %p = linalg.generic ... ins(%a, %b, %c) { arith.addf, arith.mulf }
    ```
  }];
}

def ExpandCopies : Pass<"tile-expand-copies"> {
  let summary = "turn copies of buffers into loops";
  let description = [{
    Each `memref.copy` becomes a `linalg.copy`, which needs no library function
    where a buffer is a part of another.

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
  let summary = "lower scalar operations that LLVM has no good form for";
  let description = [{
    Rounding integer divisions become truncating ones with a correction; functions that
    LLVM would approximate (`expm1`, `log1p`) or does not have (`erf`, `tanh`, ...) become
    calls of the C library; `isinf` and `isnormal`, which upstream's conversions leave,
    become `llvm.is.fpclass`.

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
  let summary = "give integer arithmetic of the host the dialect's meaning";
  let description = [{
    Divisions, shifts and conversions of floats of the LLVM dialect have results
    that LLVM leaves open: by zero, by the width of the integer or more, beyond the
    integers. They get those of the dialect, which docs/reference/Dialect.md lists.
    Code for a GPU gets them from `-convert-kernel-to-nvvm`.

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
