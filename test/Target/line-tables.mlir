// RUN: tile-compile %s -o - --emit=ptx | FileCheck %s
// REQUIRES: nvptx

// Every directive names a line of the program: for a named location the named line,
// for an inlined call the callee, for a fused location the first line, for an
// operation without a location its kernel; a function of another file has its file.

// CHECK-LABEL: .visible .entry places(
// CHECK-NOT: .loc {{[0-9]+}} 0
// CHECK: .loc [[MAIN:[0-9]+]] 20 7
// CHECK: add.s32
// CHECK: .loc [[MAIN]] 21 7
// CHECK: mul.lo.s32
// CHECK: .loc [[MAIN]] 22 7
// CHECK: xor.b32
// CHECK: .loc [[MAIN]] 10 3
// CHECK: sub.s32
// CHECK: .loc [[OTHER:[0-9]+]] 5 1
// CHECK: st.volatile.global.b32
// CHECK-DAG: .file [[MAIN]] "dir/program.mlir"
// CHECK-DAG: .file [[OTHER]] "dir/library.mlir"
llvm.func @places(%p: !llvm.ptr<1>, %a: i32, %b: i32) attributes {nvvm.kernel} {
  %0 = llvm.add %a, %b : i32 loc(#name)
  %1 = llvm.mul %0, %b : i32 loc(#call)
  %2 = llvm.xor %1, %a : i32 loc(#fused)
  %3 = llvm.sub %2, %1 : i32 loc(unknown)
  llvm.store volatile %3, %p : i32, !llvm.ptr<1> loc(#other)
  llvm.return loc(#name)
} loc(#kernel)

#kernel = loc("dir/program.mlir":10:3)
#place20 = loc("dir/program.mlir":20:7)
#place21 = loc("dir/program.mlir":21:7)
#place22 = loc("dir/program.mlir":22:7)
#name = loc("tile.load"(#place20))
#call = loc(callsite(#place21 at #place20))
#fused = loc(fused[#place22, #place20])
#other = loc("dir/library.mlir":5:1)
