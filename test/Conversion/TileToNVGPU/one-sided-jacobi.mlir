// RUN: tile-opt %s -split-input-file -convert-tile-to-nvgpu | FileCheck %s

#pairs = #tile.register<((2,16),1,(2,4)):((2,0),0,(1,4)), box = [4, 4]>
#norms = #tile.register<((2,16),1,2):((2,0),0,1), box = [4]>

// Two lanes have a matrix: a step shuffles a column and its square to the other lane,
// and back. The loop of sweeps ends when no lane of the warp has rotated. If the count
// of sweeps is odd, all columns are shuffled once more.
// CHECK-LABEL: @two_lanes
// CHECK: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: scf.while
// CHECK: nvvm.vote.sync any
// CHECK: scf.condition
// CHECK-NOT: gpu.shuffle
// CHECK: scf.for
// CHECK-COUNT-10: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK: scf.if
// CHECK-COUNT-8: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: tile.return
tile.kernel @two_lanes(%a: memref<4x4xf32>, %b: memref<4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #pairs>
  %q, %d = tile.one_sided_jacobi %x : !tile.tile<4x4xf32, #pairs>, !tile.tile<4xf32, #norms>
  tile.store %q, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #pairs>, memref<4x4xf32>
  tile.store %d, %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4xf32, #norms>, memref<4xf32>
  tile.return
}

// -----

#pairs = #tile.register<((2,16),1,(2,4)):((2,0),0,(1,4)), box = [4, 4]>
#norms = #tile.register<((2,16),1,2):((2,0),0,1), box = [4]>

// Both parts of complex columns and their real squares are shuffled. A factor of
// absolute value one makes the dot product real; it is one without a rotation.
// CHECK-LABEL: @complex
// CHECK: scf.while
// CHECK: scf.for
// CHECK: %[[N:.*]] = arith.cmpf ogt
// CHECK: arith.select %[[N]], %{{.*}}, %{{.*}} : f32
// CHECK-COUNT-18: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK: scf.if
// CHECK-COUNT-16: gpu.shuffle idx
// CHECK-NOT: gpu.shuffle
// CHECK: tile.return
tile.kernel @complex(%a: memref<4x4xcomplex<f32>>, %b: memref<4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xcomplex<f32>> -> !tile.tile<4x4xcomplex<f32>, #pairs>
  %q, %d = tile.one_sided_jacobi %x : !tile.tile<4x4xcomplex<f32>, #pairs>, !tile.tile<4xf32, #norms>
  tile.store %q, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xcomplex<f32>, #pairs>, memref<4x4xcomplex<f32>>
  tile.store %d, %b[%c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4xf32, #norms>, memref<4xf32>
  tile.return
}
