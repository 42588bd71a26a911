// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

#values = #tile.register<(32,1,4):(4,0,1), box = [32, 4]>
#lanes = #tile.register<(32,1,1):(1,0,0), box = [32]>
#both = #tile.register<(32,1,2):(2,0,1), box = [64]>

// A thread has both elements of each pair. Each pair is compared once, and the second
// pair is put in descending order.
// CHECK-LABEL: @in_values
tile.kernel @in_values(%y: memref<32x4xi32>) attributes {block = 32 : i64} {
  // CHECK-NOT: gpu.shuffle
  // CHECK: %[[FIRST:.*]] = arith.cmpi ult
  // CHECK-NEXT: arith.select %[[FIRST]], %[[B:[^,]*]], %[[A:[^,]*]] : i32
  // CHECK-NEXT: arith.select %[[FIRST]], %[[A]], %[[B]] : i32
  // CHECK-NEXT: %[[SECOND:.*]] = arith.cmpi ult
  // CHECK-NEXT: arith.select %[[SECOND]]
  // CHECK-NEXT: arith.select %[[SECOND]]
  // CHECK-NOT: arith.cmpi ult
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.load %y[%c0, %c0] in_bounds : memref<32x4xi32> -> !tile.tile<32x4xi32, #values>
  %s = tile.partial_sort %t axis 1 steps [1, 0] : !tile.tile<32x4xi32, #values>
  tile.store %s, %y[%c0, %c0] in_bounds : !tile.tile<32x4xi32, #values>, memref<32x4xi32>
  tile.return
}

// The elements of a pair are in two lanes. Two bits of an element's index determine
// whether its lane keeps the lesser or the greater element of the pair.
// CHECK-LABEL: @in_lanes
tile.kernel @in_lanes(%y: memref<32xi32>) attributes {block = 32 : i64} {
  // CHECK: %[[C4:.*]] = arith.constant 4 : index
  // CHECK: %[[BIT:.*]] = arith.andi {{.*}}, %[[C4]] : index
  // CHECK: %[[IS_SECOND:.*]] = arith.cmpi ne, %[[BIT]]
  // CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle xor %[[OWN:[^,]*]],
  // CHECK: %[[C8:.*]] = arith.constant 8 : index
  // CHECK: %[[BIT:.*]] = arith.andi {{.*}}, %[[C8]] : index
  // CHECK: %[[IS_DOWN:.*]] = arith.cmpi ne, %[[BIT]]
  // CHECK: %[[KEEPS_GREATER:.*]] = arith.xori %[[IS_SECOND]], %[[IS_DOWN]]
  // CHECK: %[[IS_LESS:.*]] = arith.cmpi ult, %[[OTHER]], %[[OWN]]
  // CHECK: %[[TAKES:.*]] = arith.xori %[[IS_LESS]], %[[KEEPS_GREATER]]
  // CHECK: arith.select %[[TAKES]], %[[OTHER]], %[[OWN]]
  // CHECK-NOT: gpu.shuffle
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.load %y[%c0] in_bounds : memref<32xi32> -> !tile.tile<32xi32, #lanes>
  %s = tile.partial_sort %t axis 0 steps [3, 2] : !tile.tile<32xi32, #lanes>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<32xi32, #lanes>, memref<32xi32>
  tile.return
}

// The steps merge the halves of the row, which becomes ascending.
// CHECK-LABEL: @whole_row
tile.kernel @whole_row(%y: memref<64xi64>) attributes {block = 32 : i64} {
  // Steps over 32, 16, 8, 4 and 2 elements each shuffle two values of 64 bits.
  // CHECK-COUNT-20: gpu.shuffle xor
  // CHECK-NOT: gpu.shuffle
  // CHECK: tile.return
  %c0 = arith.constant 0 : index
  %t = tile.load %y[%c0] in_bounds : memref<64xi64> -> !tile.tile<64xi64, #both>
  %s = tile.partial_sort %t axis 0 steps [6, 5, 6, 4, 6, 3, 6, 2, 6, 1, 6, 0] : !tile.tile<64xi64, #both>
  tile.store %s, %y[%c0] in_bounds : !tile.tile<64xi64, #both>, memref<64xi64>
  tile.return
}

// The second tile decides between equal elements of the first; both tiles are sorted.
// CHECK-LABEL: @two_tiles
tile.kernel @two_tiles(%y: memref<64xi64>, %z: memref<64xi32>) attributes {block = 32 : i64} {
  // CHECK: %[[IS_LOW:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i32
  // CHECK: %[[IS_EQUAL:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i64
  // CHECK: %[[IS_LESS:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i64
  // CHECK: arith.select %[[IS_EQUAL]], %[[IS_LOW]], %[[IS_LESS]] : i1
  // CHECK-COUNT-2: arith.select {{.*}} : i64
  %c0 = arith.constant 0 : index
  %t = tile.load %y[%c0] in_bounds : memref<64xi64> -> !tile.tile<64xi64, #both>
  %i = tile.load %z[%c0] in_bounds : memref<64xi32> -> !tile.tile<64xi32, #both>
  %s:2 = tile.partial_sort %t, %i axis 0 steps [6, 0] : !tile.tile<64xi64, #both>, !tile.tile<64xi32, #both>
  tile.store %s#0, %y[%c0] in_bounds : !tile.tile<64xi64, #both>, memref<64xi64>
  tile.store %s#1, %z[%c0] in_bounds : !tile.tile<64xi32, #both>, memref<64xi32>
  tile.return
}
