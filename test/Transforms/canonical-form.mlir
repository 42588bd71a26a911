// RUN: tile-opt %s -tile-canonical-form | FileCheck %s

// Functions are removed once their calls are inlined and no call is left.
// CHECK-NOT: func.func

// A function on tiles cannot be called, so calls are inlined, also within such
// functions.
// CHECK-LABEL: tile.kernel @inlines_calls
// CHECK:         %[[TILE:.*]] = tile.load
// CHECK-NEXT:    %[[TWICE:.*]] = arith.addf %[[TILE]], %[[TILE]]
// CHECK-NEXT:    %[[FOUR:.*]] = arith.addf %[[TWICE]], %[[TWICE]]
// CHECK-NEXT:    tile.store %[[FOUR]]
tile.kernel @inlines_calls(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %u = func.call @quadruple(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  tile.store %u, %a[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}
func.func private @double(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = arith.addf %t, %t : !tile.tile<4xf32>
  return %0 : !tile.tile<4xf32>
}
func.func @quadruple(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = call @double(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %1 = call @double(%0) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  return %1 : !tile.tile<4xf32>
}

// Calls are also inlined in loops and in functions that contain tile operations.
// CHECK-LABEL: tile.kernel @inlines_calls_in_loops
// CHECK:         scf.for
// CHECK-NEXT:      tile.load
// CHECK-NEXT:      tile.transpose
// CHECK-NEXT:      tile.store
tile.kernel @inlines_calls_in_loops(%a: memref<?x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    %t = tile.load %a[%i, %c0] : memref<?x4xf32> -> !tile.tile<4x4xf32>
    %u = func.call @turn(%t) : (!tile.tile<4x4xf32>) -> !tile.tile<4x4xf32>
    tile.store %u, %a[%i, %c0] : !tile.tile<4x4xf32>, memref<?x4xf32>
  }
  tile.return
}
func.func @turn(%t: !tile.tile<4x4xf32>) -> !tile.tile<4x4xf32> {
  %0 = tile.transpose %t [1, 0] : !tile.tile<4x4xf32> to !tile.tile<4x4xf32>
  return %0 : !tile.tile<4x4xf32>
}

// A box of an array is read once if the array is not written in between.
// CHECK-LABEL: tile.kernel @reads_once_between_writes
// CHECK:         %[[FIRST:.*]] = tile.load
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[FIRST]], %[[FIRST]]
// CHECK-NEXT:    tile.store %[[SUM]]
// CHECK-NEXT:    %[[SECOND:.*]] = tile.load
// CHECK-NEXT:    arith.addf %[[FIRST]], %[[SECOND]]
tile.kernel @reads_once_between_writes(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<4xf32>
  %u = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<4xf32>
  %v = arith.addf %t, %u : !tile.tile<4xf32>
  tile.store %v, %a[%c0] : !tile.tile<4xf32>, memref<?xf32>
  %w = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<4xf32>
  %x = arith.addf %t, %w : !tile.tile<4xf32>
  tile.store %x, %a[%c0] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// A call through a value that is known to be a certain function is inlined, too.
// CHECK-LABEL: tile.kernel @inlines_indirect_calls
// CHECK-NOT:     func.
// CHECK:         tile.return
tile.kernel @inlines_indirect_calls(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %f = func.constant @same : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  %t = tile.load %a[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %u = func.call_indirect %f(%t) : (!tile.tile<4xf32>) -> !tile.tile<4xf32>
  tile.store %u, %a[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}
func.func @same(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  return %t : !tile.tile<4xf32>
}

// A module without kernels becomes empty.
func.func @nobody_calls() {
  return
}

// Composite operations are kept, and the kernel stays at level source.
// CHECK-LABEL: tile.kernel @keeps_composites(
// CHECK-NOT: tile.level
// CHECK: tile.load %{{.*}} mask
// CHECK: tile.view %{{.*}} steps [1, -2]
// CHECK: tile.arg_reduce max
// CHECK: tile.top_k
// CHECK: tile.random
tile.kernel @keeps_composites(%a: memref<4x100xf32>, %m: memref<4x100xi1>, %seed: i64, %v: memref<4x8xf32>, %i: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %last = arith.constant 99 : index
  %mask = tile.load %m[%c0, %c0] : memref<4x100xi1> -> !tile.tile<4x100xi1>
  %t = tile.load %a[%c0, %c0] mask %mask : !tile.tile<4x100xi1> : memref<4x100xf32> -> !tile.tile<4x100xf32>
  %s = tile.view %t[%c0, %last] steps [1, -2] : !tile.tile<4x100xf32> to !tile.tile<4x20xf32>
  %best, %place = tile.arg_reduce max %s : !tile.tile<4x20xf32> to !tile.tile<f32>, !tile.tile<i32>
  %k, %n = tile.top_k %s axis 1 : !tile.tile<4x20xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>
  %r = tile.random uniform %seed, %seed : !tile.tile<4x8xf32>
  %sum = arith.addf %k, %r : !tile.tile<4x8xf32>
  tile.store %sum, %v[%c0, %c0] : !tile.tile<4x8xf32>, memref<4x8xf32>
  tile.store %place, %i[%c0] : !tile.tile<i32>, memref<1xi32>
  tile.return
}
