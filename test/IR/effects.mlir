// RUN: tile-opt %s -canonicalize -cse | FileCheck %s
//
// Operations that may be erased, merged or moved past others.

// These operations have no users, and are not erased because of their effects.
// CHECK-LABEL: func.func @stays
func.func @stays(%a: memref<?xi32>, %b: memref<9xi32, #tile.shared<(9):(1)>>, %t: !tile.tile<32xi32, #tile.register<(32,1,1):(1,0,0), box = [32]>>, %c: i1, %i: index) {
  // CHECK-NEXT: tile.atomic_load
  %0 = tile.atomic_load %a[%i] : memref<?xi32> -> !tile.tile<1xi32>
  // CHECK-NEXT: tile.fence
  tile.fence
  // CHECK-NEXT: tile_gpu.put_shared
  tile_gpu.put_shared %t into %b at %t axis 0 : !tile.tile<32xi32, #tile.register<(32,1,1):(1,0,0), box = [32]>>, !tile.tile<32xi32, #tile.register<(32,1,1):(1,0,0), box = [32]>> into memref<9xi32, #tile.shared<(9):(1)>>
  // CHECK-NEXT: tile.print
  tile.print "here"
  // CHECK-NEXT: tile.assert
  tile.assert %c, "expected it" : i1
  // CHECK-NEXT: tile.per_thread
  tile.per_thread {
  ^bb0(%thread: index):
    %x = memref.load %a[%thread] : memref<?xi32>
    memref.store %x, %a[%i] : memref<?xi32>
    tile.yield
  }
  // CHECK: return
  return
}

// CHECK-LABEL: func.func @goes
func.func @goes(%a: memref<?xi32>, %t: !tile.tile<32xi32>, %m: !tile.tile<32xi1>, %i: index, %n: i32) {
  // CHECK-NEXT: return
  %0 = tile.load %a[%i] mask %m : !tile.tile<32xi1> : memref<?xi32> -> !tile.tile<32xi32>
  %1 = tile.take %t at %0 axis 0 : !tile.tile<32xi32>, !tile.tile<32xi32> to !tile.tile<32xi32>
  %2 = tile.put add %1 into %t at %0 axis 0 : !tile.tile<32xi32>, !tile.tile<32xi32> into !tile.tile<32xi32>
  %3:2 = tile.sort %2, %1 axis 0 : !tile.tile<32xi32>, !tile.tile<32xi32>
  %4:2 = tile.top_k %3#0 axis 0 : !tile.tile<32xi32> to !tile.tile<3xi32>, !tile.tile<3xi32>
  %5 = tile.histogram %4#0 : !tile.tile<3xi32> to !tile.tile<5xi32>
  %6:3 = tile.push %t mask %m onto %5, %n : !tile.tile<32xi32> onto !tile.tile<5xi32>
  %7:3 = tile.pop %6#0, %6#1 mask %m : !tile.tile<5xi32> to !tile.tile<32xi32>
  %8 = tile.per_thread %7#0 : !tile.tile<32xi32> to !tile.tile<32xi32> {
  ^bb0(%thread: index, %x: i32):
    tile.yield %x : i32
  }
  return
}

// Another block may have written to the array between the two reads.
// CHECK-LABEL: func.func @reads_again
func.func @reads_again(%a: memref<?xi32>, %i: index) -> (!tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>) {
  // CHECK: %[[A:.*]] = tile.load
  %0 = tile.load %a[%i] : memref<?xi32> -> !tile.tile<4xi32>
  tile.fence acquire
  // CHECK: %[[B:.*]] = tile.load
  %1 = tile.load %a[%i] : memref<?xi32> -> !tile.tile<4xi32>
  // CHECK: %[[C:.*]] = tile.atomic_load
  %2 = tile.atomic_load %a[%i] : memref<?xi32> -> !tile.tile<4xi32>
  // CHECK: %[[D:.*]] = tile.atomic_load
  %3 = tile.atomic_load %a[%i] : memref<?xi32> -> !tile.tile<4xi32>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  return %0, %1, %2, %3 : !tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>
}

// Elements taken from a tile do not change; a buffer is read again.
// CHECK-LABEL: func.func @takes
func.func @takes(%t: !tile.tile<9xi32>, %b: memref<9xi32, #tile.shared<(9):(1)>>, %i: !tile.tile<4xi32>) -> (!tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>) {
  // CHECK-NEXT: %[[A:.*]] = tile.take %{{.*}} : !tile.tile<9xi32>
  %0 = tile.take %t at %i axis 0 : !tile.tile<9xi32>, !tile.tile<4xi32> to !tile.tile<4xi32>
  // CHECK-NEXT: %[[B:.*]] = tile.take %{{.*}} : memref
  %1 = tile.take %b at %i axis 0 : memref<9xi32, #tile.shared<(9):(1)>>, !tile.tile<4xi32> to !tile.tile<4xi32>
  // CHECK-NEXT: tile.fence
  tile.fence
  %2 = tile.take %t at %i axis 0 : !tile.tile<9xi32>, !tile.tile<4xi32> to !tile.tile<4xi32>
  // CHECK-NEXT: %[[C:.*]] = tile.take %{{.*}} : memref
  %3 = tile.take %b at %i axis 0 : memref<9xi32, #tile.shared<(9):(1)>>, !tile.tile<4xi32> to !tile.tile<4xi32>
  // CHECK-NEXT: return %[[A]], %[[B]], %[[A]], %[[C]]
  return %0, %1, %2, %3 : !tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>, !tile.tile<4xi32>
}

// An index that a loop without iterations would not use may be outside of the tile.
// RUN: tile-opt %s -loop-invariant-code-motion | FileCheck %s --check-prefix=MOVE
// MOVE-LABEL: func.func @take_in_loop
// MOVE:         scf.for
// MOVE-NEXT:      tile.take
func.func @take_in_loop(%t: !tile.tile<9xi32>, %i: !tile.tile<9xi32>, %n: index) -> !tile.tile<9xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %t) -> !tile.tile<9xi32> {
    %u = tile.take %t at %i axis 0 : !tile.tile<9xi32>, !tile.tile<9xi32> to !tile.tile<9xi32>
    %v = arith.addi %s, %u : !tile.tile<9xi32>
    scf.yield %v : !tile.tile<9xi32>
  }
  return %r : !tile.tile<9xi32>
}
