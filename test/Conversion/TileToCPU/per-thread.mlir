// RUN: tile-opt %s -convert-tile-to-cpu | FileCheck %s

// The operation becomes a loop over the block's threads.
// CHECK-LABEL: func.func @_tile_program_f
// CHECK: %[[THREADS:.*]] = arith.constant 64 : index
// CHECK: scf.for %[[THREAD:.*]] = %{{.*}} to %[[THREADS]]
// CHECK: %[[HELD:.*]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK: %[[E:.*]] = vector.extract %[[HELD]][1] : f32 from vector<2xf32>
// CHECK: memref.store %[[E]], %{{.*}}[%[[THREAD]]]
tile.kernel @f(%x: memref<64x2xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x2xf32> -> !tile.tile<64x2xf32>
  tile.per_thread %t : !tile.tile<64x2xf32> {
  ^bb0(%thread: index, %v: vector<2xf32>):
    %e = vector.extract %v[1] : f32 from vector<2xf32>
    memref.store %e, %y[%thread] : memref<64xf32>
    tile.yield
  }
  tile.return
}

// The loop has as many iterations as the kernel requests threads, whole warps or not.
// CHECK-LABEL: func.func @_tile_program_seven
// CHECK: %[[THREADS:.*]] = arith.constant 7 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[THREADS]]
tile.kernel @seven(%y: memref<7xindex>) attributes {block = 7 : i64} {
  tile.per_thread {
  ^bb0(%thread: index):
    memref.store %thread, %y[%thread] : memref<7xindex>
    tile.yield
  }
  tile.return
}
