// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu | FileCheck %s

// Threads that the kernel does not request skip operations that have a visible effect
// in each thread. A block of whole warps needs no test.
module attributes {tile.target = "sm_80"} {
// CHECK-LABEL: tile.kernel @print(
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-NEXT: %[[COUNT:.*]] = arith.constant 7 : index
// CHECK-NEXT: %[[ASKED:.*]] = arith.cmpi slt, %[[THREAD]], %[[COUNT]] : index
// CHECK-NEXT: scf.if %[[ASKED]] {
// CHECK-NEXT: gpu.printf "%d\0A", %{{.*}} : i32
tile.kernel @print(%n: i32) attributes {block = 7 : i64} {
  gpu.printf "%d\0A", %n : i32
  tile.return
}

// CHECK-LABEL: tile.kernel @print_by_a_warp(
// CHECK-NEXT: gpu.printf
tile.kernel @print_by_a_warp(%n: i32) attributes {block = 32 : i64} {
  gpu.printf "%d\0A", %n : i32
  tile.return
}

// A scalar is the same in all threads, so the requested threads report the failure.
// CHECK-LABEL: tile.kernel @assert(
// CHECK: %[[FAILS:.*]] = arith.xori
// CHECK: %[[ASKED:.*]] = arith.cmpi slt
// CHECK: %[[BOTH:.*]] = arith.andi %[[FAILS]], %[[ASKED]] : i1
// CHECK-NEXT: scf.if %[[BOTH]] {
// CHECK: llvm.call @__assertfail
tile.kernel @assert(%n: i1) attributes {block = 7 : i64} {
  tile.assert %n, "expected" : i1
  tile.return
}

// The only thread that holds an element may be an idle one.
// CHECK-LABEL: tile.kernel @assert_of_a_tile(
// CHECK-NOT: arith.constant 40 : index
// CHECK: llvm.call @__assertfail
tile.kernel @assert_of_a_tile(%a: memref<64xi1>) attributes {block = 40 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<64xi1> -> !tile.tile<64xi1>
  tile.assert %t, "expected" : !tile.tile<64xi1>
  tile.return
}
}
