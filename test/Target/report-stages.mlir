// RUN: tile-compile %s -o - --emit=report --arch=sm_80 | FileCheck %s
// REQUIRES: nvptx, ptxas

// Shared memory has room for the stages of one block, but not of two blocks, which
// would hide more latency.
// CHECK: stages 3 at {{.*}}report-stages.mlir:15 (each is 49152 bytes of the 166912 that one block has; 3 for each of 2 blocks do not fit)

tile.kernel @gemm(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c96 = arith.constant 96 : index
  %z = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %r = scf.for %k = %c0 to %n step %c96 iter_args(%acc = %z) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<128x96xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<96x128xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<128x96xf16>, !tile.tile<96x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}
