// RUN: tile-opt %s -tile-insert-barriers -tile-verify-synchronization | FileCheck %s

// Elements that a thread's code stores are read after a barrier. No barrier is inside
// the region, where threads may diverge.
// CHECK-LABEL: @threads
tile.kernel @threads(%a: memref<32xi32>, %b: memref<32xi32>) attributes {block = 64 : i64} {
  // CHECK: tile.per_thread
  // CHECK-NOT: gpu.barrier
  // CHECK: memref.store
  // CHECK: gpu.barrier
  // CHECK-NEXT: tile.per_thread
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %c31 = arith.constant 31 : index
  tile.per_thread {
  ^bb0(%thread: index):
    %x = memref.load %b[%thread] : memref<32xi32>
    memref.store %x, %a[%thread] : memref<32xi32>
    tile.yield
  }
  tile.per_thread {
  ^bb0(%thread: index):
    %c0 = arith.constant 0 : index
    %mirror = arith.subi %c31, %thread : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %thread step %c1 {
      %x = memref.load %a[%mirror] : memref<32xi32>
      memref.store %x, %b[%thread] : memref<32xi32>
    }
    tile.yield
  }
  tile.return
}

// Each thread reads and writes its element in place. Between two iterations of the loop
// there is a barrier.
// CHECK-LABEL: @in_place
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NEXT: tile.per_thread
// CHECK-NOT: gpu.barrier
// CHECK: tile.return
tile.kernel @in_place(%a: memref<32xi32>, %n: index) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    tile.per_thread {
    ^bb0(%thread: index):
      %x = memref.load %a[%thread] : memref<32xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %a[%thread] : memref<32xi32>
      tile.yield
    }
  }
  tile.return
}
