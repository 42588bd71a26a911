// RUN: tile-opt %s -tile-assign-storage -tile-assign-layouts | FileCheck %s

module attributes {tile.target = "sm_80"} {
// Each thread has the indices for its elements of the result; the source of the
// tile.take is in shared memory.
// CHECK-LABEL: @take
// CHECK: tile.load {{.*}} -> !tile.tile<100xf32, #tile.shared<(100):(1)>>
// CHECK: %[[INDICES:.*]] = tile.load {{.*}} -> !tile.tile<64xi32, [[LAYOUT:#tile.register<.*>]]>{{$}}
// CHECK-NOT: tile.convert_layout
// CHECK: tile.take %{{.*}} at %[[INDICES]] axis 0 : !tile.tile<100xf32, #tile.shared<(100):(1)>>, !tile.tile<64xi32, [[LAYOUT]]> to !tile.tile<64xf32, [[LAYOUT]]>
tile.kernel @take(%x: memref<100xf32>, %i: memref<64xi32>, %y: memref<64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<100xf32> -> !tile.tile<100xf32>
  %n = tile.load %i[%c0] : memref<64xi32> -> !tile.tile<64xi32>
  %u = tile.take %t at %n axis 0 : !tile.tile<100xf32>, !tile.tile<64xi32> to !tile.tile<64xf32>
  tile.store %u, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// The tile that elements are put into goes through shared memory.
// CHECK-LABEL: @put
// CHECK: %[[INTO:.*]] = tile.convert_layout %{{.*}} to !tile.tile<10xi32, #tile.shared<(10):(1)>>
// CHECK: %[[PUT:.*]] = tile.put add %{{.*}} into %[[INTO]] at
// CHECK: tile.convert_layout %[[PUT]]
tile.kernel @put(%i: memref<64xi32>, %y: memref<10xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile.load %i[%c0] : memref<64xi32> -> !tile.tile<64xi32>
  %zeros = arith.constant dense<0> : !tile.tile<10xi32>
  %u = tile.put add %n into %zeros at %n axis 0 : !tile.tile<64xi32>, !tile.tile<64xi32> into !tile.tile<10xi32>
  tile.store %u, %y[%c0] : !tile.tile<10xi32>, memref<10xi32>
  tile.return
}

// Each thread has one element, or one row of elements.
// CHECK-LABEL: @threads
// CHECK: tile.per_thread %{{.*}} : !tile.tile<64x3xf32, #tile.register<(32,2,3):(3,96,1), box = [64, 3]>> to !tile.tile<64xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>
tile.kernel @threads(%x: memref<64x3xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x3xf32> -> !tile.tile<64x3xf32>
  %u = tile.per_thread %t : !tile.tile<64x3xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %v: vector<3xf32>):
    %e = vector.extract %v[1] : f32 from vector<3xf32>
    tile.yield %e : f32
  }
  tile.store %u, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// Threads that the kernel does not request hold padding.
// CHECK-LABEL: @idle_threads
// CHECK: tile.per_thread %{{.*}} : !tile.tile<40x3xf32, #tile.register<(32,2,3):(3,96,1), box = [64, 3]>> to !tile.tile<40xf32, #tile.register<(32,2,1):(1,32,0), box = [64]>>
tile.kernel @idle_threads(%x: memref<64x3xf32>, %y: memref<64xf32>) attributes {block = 40 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x3xf32> -> !tile.tile<40x3xf32>
  %u = tile.per_thread %t : !tile.tile<40x3xf32> to !tile.tile<40xf32> {
  ^bb0(%thread: index, %v: vector<3xf32>):
    %e = vector.extract %v[1] : f32 from vector<3xf32>
    tile.yield %e : f32
  }
  tile.store %u, %y[%c0] : !tile.tile<40xf32>, memref<64xf32>
  tile.return
}
}
