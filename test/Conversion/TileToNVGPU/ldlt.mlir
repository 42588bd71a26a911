// RUN: tile-opt %s -convert-tile-to-nvgpu | FileCheck %s

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>

// Each lane has a row. The shuffles are those of a Cholesky factor; no root is
// computed.
// CHECK-LABEL: @lane_a_row
// CHECK-NOT: rsqrt
// CHECK-COUNT-10: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK: tile.return
tile.kernel @lane_a_row(%a: memref<4x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %l = tile.ldlt %x : !tile.tile<4x4xf32, #rows>
  tile.store %l, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #rows>, memref<4x4xf32>
  tile.return
}
