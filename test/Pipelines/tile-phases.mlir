// RUN: tile-opt %s -tile-phases | FileCheck %s

// An f16 matmul of arrays with dynamic extents has a circular buffer. An iteration has
// one barrier, for both the copied stage and the stage that is overwritten next.
// CHECK-LABEL: tile.kernel @gemm(
tile.kernel @gemm(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  // CHECK: scf.for
  // CHECK: nvvm.cp.async.wait.group
  // CHECK: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.matmul
  // CHECK-NOT: gpu.barrier
  // CHECK: scf.yield
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.store
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %z) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<128x32xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<32x128xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<128x32xf16>, !tile.tile<32x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// Elementwise code needs no shared memory and no barrier.
// CHECK-LABEL: tile.kernel @elementwise(
tile.kernel @elementwise(%x: memref<?xf32>, %y: memref<?xf32>) {
  // CHECK-NOT: memref.alloc
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<1000xf32>
  %u = arith.mulf %t, %t : !tile.tile<1000xf32>
  tile.store %u, %y[%c0] : !tile.tile<1000xf32>, memref<?xf32>
  tile.return
}

// No value has a shared tile type after the phases, even if the program declares one.
// CHECK-LABEL: tile.kernel @leaves_no_shared_tiles(
tile.kernel @leaves_no_shared_tiles(%x: memref<?x?xf32>, %i: index, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: -> !tile.tile<{{[^>]*}}#tile.shared
  // CHECK: tile.return
  %t = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x6xf32, #tile.shared>
  %v = tile.view %t[%i, %c0] : !tile.tile<8x6xf32, #tile.shared> to !tile.tile<4x3xf32>
  %w = tile.transpose %v [1, 0] : !tile.tile<4x3xf32> to !tile.tile<3x4xf32>
  tile.store %w, %y[%c0, %c0] : !tile.tile<3x4xf32>, memref<?x?xf32>
  tile.return
}

// Barriers separate a block's writes to an array from its later reads of the array.
// CHECK-LABEL: tile.kernel @store_then_load(
tile.kernel @store_then_load(%x: memref<64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.fill %v : !tile.tile<32xf32>
  // CHECK: tile.store
  // CHECK: nvvm.bar.warp.sync
  // CHECK: tile.load
  // CHECK: nvvm.bar.warp.sync
  // CHECK: tile.store
  tile.store %t, %x[%c0] : !tile.tile<32xf32>, memref<64xf32>
  %u = tile.load %x[%c1] : memref<64xf32> -> !tile.tile<32xf32>
  tile.store %u, %x[%c0] : !tile.tile<32xf32>, memref<64xf32>
  tile.return
}

// Tiles that scf.while and scf.if carry stay in registers.
// CHECK-LABEL: tile.kernel @carried_tiles(
tile.kernel @carried_tiles(%x: memref<?x?xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<8x8xf32>
  // CHECK: = scf.while
  // CHECK-SAME: #tile.register
  // CHECK: tile.matmul
  // CHECK: = scf.if {{.*}} -> (!tile.tile<8x8xf32, #tile.register
  %w:2 = scf.while (%i = %c0, %a = %t) : (index, !tile.tile<8x8xf32>) -> (index, !tile.tile<8x8xf32>) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %a : index, !tile.tile<8x8xf32>
  } do {
  ^bb0(%i: index, %a: !tile.tile<8x8xf32>):
    %j = arith.addi %i, %c1 : index
    %m = tile.matmul %a, %a, %a : !tile.tile<8x8xf32>, !tile.tile<8x8xf32> -> !tile.tile<8x8xf32>
    scf.yield %j, %m : index, !tile.tile<8x8xf32>
  }
  %r = scf.if %c -> !tile.tile<8x8xf32> {
    %s = tile.transpose %w#1 [1, 0] : !tile.tile<8x8xf32> to !tile.tile<8x8xf32>
    scf.yield %s : !tile.tile<8x8xf32>
  } else {
    scf.yield %w#1 : !tile.tile<8x8xf32>
  }
  tile.store %r, %x[%c0, %c0] : !tile.tile<8x8xf32>, memref<?x?xf32>
  tile.return
}
