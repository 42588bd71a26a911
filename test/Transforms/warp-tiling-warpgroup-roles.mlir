// RUN: tile-opt %s -tile-phases=arch=sm_90a | FileCheck %s
// RUN: tile-opt %s -tile-phases=arch=sm_90a | FileCheck %s --check-prefix=LAYOUT

// W is rhs and transposed rhs, X is lhs and rhs, P is lhs from accumulators and,
// transposed, from shared memory: all three matmuls are by a warpgroup.
// CHECK-LABEL: tile.kernel @roles(
// CHECK-COUNT-3: tile_gpu.mma_async
// CHECK-NOT:   tile.matmul
// CHECK:       tile.return

// Threads store P in rows, along which each has neighbouring elements.
// LAYOUT-LABEL: tile.kernel @roles(
// LAYOUT:       tile_gpu.store_shared %{{.*}} {tile.access = #tile.access<vector = 2, {{.*}}memref<64x64xf16, #tile.shared<(64,64):(1,64), swizzle = <3, 4, 3>, align = 1024>>
tile.kernel @roles(%x: memref<?x64xf16>, %w: memref<?x64xf16>, %o: memref<?x64xf32>, %g: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %tx = tile.load %x[%c0, %c0] : memref<?x64xf16> -> !tile.tile<64x64xf16>
  %tw = tile.load %w[%c0, %c0] : memref<?x64xf16> -> !tile.tile<64x64xf16>
  %wt = tile.transpose %tw [1, 0] : !tile.tile<64x64xf16> to !tile.tile<64x64xf16>
  %s = tile.matmul %tx, %wt, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  %p = tile.cast %s : !tile.tile<64x64xf32> to !tile.tile<64x64xf16>
  %ro = tile.matmul %p, %tw, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  %pt = tile.transpose %p [1, 0] : !tile.tile<64x64xf16> to !tile.tile<64x64xf16>
  %rg = tile.matmul %pt, %tx, %zero : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.store %ro, %o[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x64xf32>
  tile.store %rg, %g[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x64xf32>
  tile.return
}
