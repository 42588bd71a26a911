// RUN: tile-opt %s -split-input-file -convert-tile-to-nvgpu | FileCheck %s

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>
#column = #tile.register<((4,8),1,4):((0,0),0,1), box = [4]>

// A lane a row: the largest element, then each step sums its column over two
// lanes and four, reads the element on the diagonal, and sums the columns behind
// it.
// CHECK-LABEL: @lane_a_row
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-COUNT-1: gpu.shuffle idx
// CHECK: math.copysign
// CHECK-COUNT-6: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: tile.return
tile.kernel @lane_a_row(%a: memref<4x4xf32>, %b: memref<4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %f, %s = tile.householder %x : !tile.tile<4x4xf32, #rows>, !tile.tile<4xf32, #column>
  tile.store %f, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #rows>, memref<4x4xf32>
  tile.store %s, %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4xf32, #column>, memref<4xf32>
  tile.return
}

// -----

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>
#side = #tile.register<((4,8),1,2):((2,0),0,1), box = [4, 2]>
#column = #tile.register<((4,8),1,4):((0,0),0,1), box = [4]>

// Each step has two sums, of two columns, over two lanes and four.
// CHECK-LABEL: @apply
// CHECK-COUNT-16: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: tile.return
tile.kernel @apply(%a: memref<4x4xf32>, %b: memref<4xf32>, %c: memref<4x2xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %f = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %s = tile.load %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4xf32> -> !tile.tile<4xf32, #column>
  %x = tile.load %c[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x2xf32> -> !tile.tile<4x2xf32, #side>
  %y = tile.apply_householder %f, %s, %x transposed : !tile.tile<4x4xf32, #rows>, !tile.tile<4xf32, #column>, !tile.tile<4x2xf32, #side>
  tile.store %y, %c[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x2xf32, #side>, memref<4x2xf32>
  tile.return
}
