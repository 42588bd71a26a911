// The conversions: from the tile dialect to upstream ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_PASSES
#define TILE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTileToCPU : Pass<"convert-tile-to-cpu", "::mlir::ModuleOp"> {
  let summary = "turn tile programs into functions on tensors and arrays";
  let description = [{
    The way to run without a GPU, and the judge of the way to one: it shares no
    code with layouts, tiling or storage. A tile becomes a `tensor` (f8
    elements as i8), an operation on tiles a `linalg.generic`, a load or a store
    a loop over the part of its box that lies inside the array.

    A kernel becomes a function that runs one block,

    `NAME(flat parameters of the kernel ABI..., bx, by, bz, gx, gy, gz : i64)`

    (an array is an aligned pointer, its run-time sizes, its run-time strides;
    then the block's index and the grid), and a second one, `_tile_NAME(args)`,
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
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"tile-fuse-elementwise"> {
  let summary = "merge elementwise loops of the CPU path";
  let description = [{
    Upstream's fusion of `linalg.generic` on tensors, where it computes nothing
    twice: the consumer has no reduction and reads the producer's elements once
    each, and nobody else reads them. What has no inputs is fused everywhere.
  }];
}

def ExpandCopies : Pass<"tile-expand-copies"> {
  let summary = "turn copies of buffers into loops";
  let description = [{
    Each `memref.copy` becomes a `linalg.copy`, which needs no library function
    where a buffer is a part of another.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ExpandScalarOps : Pass<"tile-expand-scalar-ops", "::mlir::ModuleOp"> {
  let summary = "lower scalar operations that LLVM has no good form for";
  let description = [{
    Rounding integer divisions become arithmetic; functions that LLVM would
    approximate (`expm1`, `log1p`) or does not have (`erf`, `tanh`, ...) become
    calls of the C library.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // TILE_CONVERSION_PASSES
