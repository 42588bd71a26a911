// RUN: split-file %s %t
// RUN: not tile-compile %t/body.mlir -o - --emit=ptx 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not tile-compile %t/intrinsic.mlir -o - --emit=ptx 2>&1 | FileCheck %s --check-prefix=INTRINSIC
// RUN: not tile-compile %t/valid.mlir -o - --emit=ptx 2>&1 | FileCheck %s --check-prefix=VALID
// RUN: not tile-compile %t/target.mlir -o - --emit=ptx --arch=sm_80 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not tile-compile %t/body.mlir -o - --emit=ptx --ptx-version=93 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not tile-compile %t/top-level.mlir -o - --emit=ptx 2>&1 | FileCheck %s --check-prefix=TOP
// RUN: not tile-compile %t/abort.mlir -o - --emit=ptx 2>&1 | FileCheck %s --check-prefix=ABORT
// REQUIRES: nvptx

//--- body.mlir
// A function that a kernel calls must have a body.
// BODY: body.mlir:4:1: error: expected a body for function 'helper', which a kernel calls
// VERSION: error: expected PTX version 8.0 to 9.0 for sm_80, got 9.3
llvm.func @helper(i32)
llvm.func @calls(%n: i32) attributes {nvvm.kernel} {
  llvm.call @helper(%n) : (i32) -> ()
  llvm.return
}

//--- intrinsic.mlir
// INTRINSIC: intrinsic.mlir:3:3: error: expected an instruction of the target table, got llvm.nvvm.no.such.thing
llvm.func @calls(%n: i32) attributes {nvvm.kernel} {
  llvm.call_intrinsic "llvm.nvvm.no.such.thing"(%n) : (i32) -> ()
  llvm.return
}

//--- valid.mlir
// IR that MLIR accepts and LLVM does not.
// VALID: error: expected valid LLVM IR, got: immarg operand has non-immediate parameter
llvm.func @calls(%n: i32) attributes {nvvm.kernel} {
  llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"(%n) : (i32) -> ()
  llvm.return
}

//--- target.mlir
// TARGET: target.mlir:3:3: error: expected architecture sm_90 or later for cluster.arrive, got sm_80
llvm.func @meets() attributes {nvvm.kernel} {
  nvvm.cluster.arrive
  llvm.return
}

//--- top-level.mlir
// Next to two kernels: kernels are compiled concurrently.
// TOP: top-level.mlir:3:1: error: expected functions and variables beside kernels, got 'nvvm.barrier0'
gpu.barrier
tile.kernel @first(%x: memref<8xf32>) {
  tile.return
}
tile.kernel @second(%x: memref<8xf32>) {
  tile.return
}

//--- abort.mlir
// An abort of LLVM ends the compilation, not the process. Operations of MLIR
// are checked before; an intrinsic that is called by name may abort.
// ABORT: error of LLVM:
// ABORT: error: expected LLVM to generate code for sm_80, got an internal error of LLVM
llvm.func @converts(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  %0 = llvm.call_intrinsic "llvm.fptosi.sat.i128.f32"(%x) : (f32) -> i128
  llvm.store %0, %p : i128, !llvm.ptr<1>
  llvm.return
}
