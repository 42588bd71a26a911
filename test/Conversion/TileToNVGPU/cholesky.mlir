// RUN: tile-opt %s -split-input-file -convert-tile-to-nvgpu | FileCheck %s

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>

// Each lane has a row, and a warp eight copies of the matrix. Shuffles bring each pivot
// and the elements of its column that later columns need, 4 + 3 + 2 + 1 in all.
// CHECK-LABEL: @lane_a_row
// CHECK-COUNT-10: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: tile.return
tile.kernel @lane_a_row(%a: memref<4x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %l = tile.cholesky %x : !tile.tile<4x4xf32, #rows>
  tile.store %l, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #rows>, memref<4x4xf32>
  tile.return
}

// Pivots of complex matrices are real, and the elements for other columns have
// two parts: 4 + 2 (3 + 2 + 1).
// CHECK-LABEL: @complex
// CHECK-COUNT-16: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK: tile.return
tile.kernel @complex(%a: memref<4x4xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xcomplex<f32>> -> !tile.tile<4x4xcomplex<f32>, #rows>
  %l = tile.cholesky %x : !tile.tile<4x4xcomplex<f32>, #rows>
  tile.store %l, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xcomplex<f32>, #rows>, memref<4x4xcomplex<f32>>
  tile.return
}

// -----

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>

// Right-hand sides of four rows are spread over four lanes, each of which also has a
// row of the triangle: one shuffle for each pivot, and one for each row that is solved.
// CHECK-LABEL: @by_column
// CHECK-COUNT-8: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK: tile.return
// With the transposed triangle, each step adds up values of four lanes.
// CHECK-LABEL: @by_row
// CHECK-COUNT-6: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle xor
// CHECK: tile.return
#column = #tile.register<((4,8),1,1):((1,0),0,0), box = [4, 1]>
tile.kernel @by_column(%a: memref<4x4xf32>, %b: memref<4x1xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %x = tile.load %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x1xf32> -> !tile.tile<4x1xf32, #column>
  %y = tile.triangular_solve %t, %x : !tile.tile<4x4xf32, #rows>, !tile.tile<4x1xf32, #column>
  tile.store %y, %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x1xf32, #column>, memref<4x1xf32>
  tile.return
}
tile.kernel @by_row(%a: memref<4x4xf32>, %b: memref<4x1xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  %x = tile.load %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x1xf32> -> !tile.tile<4x1xf32, #column>
  %y = tile.triangular_solve %t, %x transposed : !tile.tile<4x4xf32, #rows>, !tile.tile<4x1xf32, #column>
  tile.store %y, %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x1xf32, #column>, memref<4x1xf32>
  tile.return
}
