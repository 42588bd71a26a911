// RUN: tile-opt %s -split-input-file -convert-tile-to-nvgpu | FileCheck %s

// Four lanes have four adjacent columns each of every 16. A loop over the lanes computes 16
// columns, from the last lane to the first, four in an iteration. Code for all 64 columns
// would not fit the instruction cache.
// CHECK-LABEL: tile.kernel @in_loops
// CHECK-COUNT-4: scf.for %{{.*}} = %c0_i32{{.*}} to %c4_i32{{.*}} step %c1_i32
// CHECK-NOT:     scf.for
// CHECK:         tile.return
#lanes64 = #tile.register<((4,2,4),1,(4,4,2,4)):((4,64,256),0,(1,16,128,1024)), box = [64, 64]>
tile.kernel @in_loops(%a: memref<64x64xf32>, %b: memref<64x64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %l = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<64x64xf32> -> !tile.tile<64x64xf32, #lanes64>
  %g = tile.load %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<64x64xf32> -> !tile.tile<64x64xf32, #lanes64>
  %r = tile.cholesky_derivative %l, %g transposed : !tile.tile<64x64xf32, #lanes64>
  tile.store %r, %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<64x64xf32, #lanes64>, memref<64x64xf32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @unrolled
// CHECK-NOT:     scf.for
// CHECK:         tile.return
#lanes32 = #tile.register<((4,2,4),1,(4,2,2,2)):((4,32,128),0,(1,16,64,512)), box = [32, 32]>
tile.kernel @unrolled(%a: memref<32x32xf32>, %b: memref<32x32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %l = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<32x32xf32> -> !tile.tile<32x32xf32, #lanes32>
  %g = tile.load %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<32x32xf32> -> !tile.tile<32x32xf32, #lanes32>
  %r = tile.cholesky_derivative %l, %g transposed : !tile.tile<32x32xf32, #lanes32>
  tile.store %r, %b[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<32x32xf32, #lanes32>, memref<32x32xf32>
  tile.return
}
