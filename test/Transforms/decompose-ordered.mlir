// RUN: tile-opt %s -split-input-file -verify-diagnostics -tile-canonical-form -tile-decompose -canonicalize -cse | FileCheck %s

// Before the update is a wait for the previous block, and after it a signal to the next
// block. Each update has a counter of finished blocks, in a workspace argument that
// callers do not pass.
// CHECK-LABEL: tile.kernel @twice(
// CHECK-SAME: %{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>,
// CHECK-SAME: %[[FIRST:.*]]: memref<1xi64> {tile.workspace}, %[[SECOND:.*]]: memref<1xi64> {tile.workspace})
tile.kernel @twice(%x: memref<?xf32>, %s: memref<?xf32>) {
  // CHECK: %[[TURN:.*]] = arith.index_cast %{{.*}} : index to i64
  // CHECK: scf.while : () -> () {
  // CHECK: %[[READ:.*]] = tile.atomic_load %[[FIRST]][%{{.*}}] order acquire in_bounds : memref<1xi64> -> !tile.tile<i64>
  // CHECK: %[[DONE:.*]] = tile.extract %[[READ]][]
  // CHECK: arith.cmpi ne, %[[DONE]], %[[TURN]] : i64
  // CHECK: %[[OLD:.*]] = tile.atomic_rmw add %{{.*}}, %{{.*}}[%{{.*}}] : !tile.tile<8xf32>
  // CHECK: %[[NEXT:.*]] = arith.addi %[[TURN]], %{{.*}} : i64
  // CHECK: %[[WORD:.*]] = tile.fill %[[NEXT]] : !tile.tile<i64>
  // CHECK: tile.atomic_store %[[WORD]], %[[FIRST]][%{{.*}}] order release in_bounds
  // CHECK: tile.atomic_load %[[SECOND]]
  // CHECK: tile.atomic_rmw max %[[OLD]]
  // CHECK: tile.atomic_store %{{.*}}, %[[SECOND]]
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<8xf32>
  %old = tile.atomic_rmw add %t, %s[%c0] ordered : !tile.tile<8xf32>, memref<?xf32>
  %last = tile.atomic_rmw max %old, %s[%c0] ordered in_bounds : !tile.tile<8xf32>, memref<?xf32>
  tile.return
}

// -----

// The update is in a function that is inlined.
// CHECK-LABEL: tile.kernel @inlined
// CHECK: tile.atomic_store
func.func private @add(%t: !tile.tile<8xf32>, %s: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %old = tile.atomic_rmw add %t, %s[%c0] ordered : !tile.tile<8xf32>, memref<?xf32>
  return
}
tile.kernel @inlined(%x: memref<?xf32>, %s: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<8xf32>
  func.call @add(%t, %s) : (!tile.tile<8xf32>, memref<?xf32>) -> ()
  tile.return
}

// -----

// Blocks may run different numbers of iterations of a loop.
tile.kernel @in_a_loop(%x: memref<?xf32>, %n: index, %s: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{expected an ordered update outside of loops and branches, got one in 'scf.for'}}
    %old = tile.atomic_rmw add %t, %s[%i] ordered : !tile.tile<8xf32>, memref<?xf32>
  }
  tile.return
}
