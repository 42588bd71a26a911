// RUN: tile-opt %s -tile-insert-barriers -tile-verify-synchronization | FileCheck %s

// What threads store by themselves is read behind a barrier; none is inside
// their region, where they may go different ways.
// CHECK-LABEL: @threads
tile.kernel @threads(%a: memref<32xi32>, %b: memref<32xi32>) attributes {block = 32 : i64} {
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
