// RUN: tile-compile %s -o - --emit=ptx --arch=sm_90 | FileCheck %s
// REQUIRES: nvptx

// An operation without an LLVM intrinsic is emitted as the text of its instruction.
// CHECK: mbarrier.try_wait.parity.shared.b64
llvm.func @wait(%bar: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.try_wait.parity %bar, %n, %n : !llvm.ptr<3>, i32, i32
  llvm.return
}
