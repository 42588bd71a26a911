// RUN: tile-opt %s -split-input-file -convert-tile-to-nvgpu | FileCheck %s

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>
#row = #tile.register<((4,8),1,1):((1,0),0,0), box = [4]>
#all = #tile.register<((4,8),1,1):((0,0),0,0), box = []>

// A lane a row: each step compares sizes and ranks over two lanes and four, and
// reads the pivot and what is behind it in its row, 4 + 3 + 2 + 1 in all, from a
// lane that is known at run time.
// CHECK-LABEL: @lane_a_row
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-COUNT-4: gpu.shuffle idx
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-COUNT-3: gpu.shuffle idx
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-COUNT-2: gpu.shuffle idx
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-COUNT-1: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: tile.return
tile.kernel @lane_a_row(%a: memref<4x4xf32>, %b: memref<4xi32>, %c: memref<1xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %f, %p, %s = tile.lu %x unordered : !tile.tile<4x4xf32, #rows>, !tile.tile<4xi32, #row> status !tile.tile<i32, #all>
  tile.store %f, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #rows>, memref<4x4xf32>
  tile.store %p, %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4xi32, #row>, memref<4xi32>
  tile.return
}
