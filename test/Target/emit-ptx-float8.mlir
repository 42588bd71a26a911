// RUN: tile-compile %s -o - --emit=ptx --arch=sm_89 | FileCheck %s
// REQUIRES: nvptx

// The PTX version is raised to the one that the instructions need; the architecture
// itself needs only 8.1.
// CHECK: .version 8.4
// CHECK: .target sm_89
// CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
llvm.func @multiply(%out: !llvm.ptr<1>, %r: i32, %f: f32) attributes {nvvm.kernel} {
  %0 = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"(%r, %r, %r, %r, %r, %r, %f, %f, %f, %f) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %0, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}
