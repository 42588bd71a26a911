// RUN: tile-opt %s -tile-phases -convert-tile-to-nvgpu | FileCheck %s

// A chain of matmuls. The lhs of the second one is computed from the first one's
// accumulators, before the fence, in four registers for each 16 of K. Their zero
// initial values are implied by the instruction.

!half = !tile.tile<128x64xf16>
!rhs = !tile.tile<64x64xf16>
!sums = !tile.tile<128x64xf32>
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {

// CHECK-LABEL: @chain
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 64, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: ldmatrix
// CHECK: arith.maximumf
// CHECK: llvm.inline_asm {{.*}}, "=r,
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: tile_gpu.warpgroup_mma[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], %{{.*}}, [{{.*}}] transposed from_zero of f16 :
// CHECK-COUNT-3: tile_gpu.warpgroup_mma{{.*}} transposed of f16 :
// CHECK-NOT: tile_gpu.warpgroup_mma
// CHECK: nvvm.wgmma.commit.group.sync.aligned
tile.kernel @chain(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>, %z: memref<?x?xf32, #row>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !sums
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !half
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !rhs
  %s = tile.matmul %a, %b, %zero : !half, !rhs -> !sums
  %r = arith.maximumf %s, %zero : !sums
  %h = tile.cast %r : !sums to !half
  %d = tile.matmul %h, %b, %zero : !half, !rhs -> !sums
  tile.store %d, %z[%c0, %c0] : !sums, memref<?x?xf32, #row>
  tile.return
}

}
