// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 | FileCheck %s
// REQUIRES: nvptx

// The first matmul computes while it loads, before the barrier and not in the
// block of the threads that store its result to shared memory.
// CHECK-LABEL: .visible .entry multiply(
// CHECK:       cp.async.wait_group
// CHECK:       ld.shared
// CHECK:       fma.rn.f32
// CHECK:       ld.shared
// CHECK:       bar.warp.sync
// CHECK-NOT:   fma.rn.f32
// CHECK:       st.shared.v2.b32
// CHECK:       bar.warp.sync
tile.kernel @multiply(%a: memref<?x6x18xf32>, %b: memref<?x18x18xf32>, %c: memref<?x6x18xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %z = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %l = tile.load %a[%p, %c0, %c0] : memref<?x6x18xf32> -> !tile.tile<6x18xf32>
  %r = tile.load %b[%p, %c0, %c0] : memref<?x18x18xf32> -> !tile.tile<18x18xf32>
  %m = tile.matmul %l, %r, %z : !tile.tile<6x18xf32>, !tile.tile<18x18xf32> -> !tile.tile<6x18xf32>
  %n = tile.matmul %m, %r, %z : !tile.tile<6x18xf32>, !tile.tile<18x18xf32> -> !tile.tile<6x18xf32>
  tile.store %n, %c[%p, %c0, %c0] : !tile.tile<6x18xf32>, memref<?x6x18xf32>
  tile.return
}

// A sum of two operands is computed by the threads that store it.
// CHECK-LABEL: .visible .entry add(
// CHECK:       bar.sync
// CHECK:       bra
// CHECK:       add.rn.f32
// CHECK:       st.global
llvm.func @add(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %condition: i1) attributes {nvvm.kernel} {
  %a = llvm.load volatile %x : !llvm.ptr<1> -> f32
  %b = llvm.load volatile %x : !llvm.ptr<1> -> f32
  %sum = llvm.fadd %a, %b : f32
  nvvm.barrier0
  llvm.cond_br %condition, ^store, ^end
^store:
  llvm.store %sum, %y : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
