// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts | FileCheck %s

// Operands of a warpgroup MMA are in panels of swizzled rows, which a descriptor can
// describe: along K or along M and N, and as wide as whole panels fit. A warp has 16
// rows of each 64 rows of the accumulator.

#row = strided<[?, 1]>
#column = strided<[1, ?]>
module attributes {tile.target = "sm_90a"} {

// 64 of K are a row of 128 bytes; 128 of N are two panels of 64.
// CHECK-LABEL: tile.kernel @along_and_across_k
// CHECK: tile.load {{.*}} -> !tile.tile<128x64xf16, #tile.shared<(128,64):(64,1), swizzle = <3, 4, 3>, align = 1024>>
// CHECK: tile.load {{.*}} -> !tile.tile<64x128xf16, #tile.shared<(64,(64,2)):(64,(1,4096)), swizzle = <3, 4, 3>, align = 1024>>
// CHECK: tile.matmul
// CHECK-SAME: -> !tile.tile<128x128xf32, #tile.register<((4,8),4,(2,2,16,2)):((2,128),2048,(1,1024,8,8192)), box = [128, 128]>>
tile.kernel @along_and_across_k(%x: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>, %z: memref<?x?xf32, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<128x64xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x128xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
  tile.store %d, %z[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32, #row>
  tile.return
}

// K is 96 bytes, three panels of 32 bytes. M = 70 is padded to 128 rows. N is 96
// columns, or 192 bytes, three panels of 64 bytes.
// CHECK-LABEL: tile.kernel @odd
// CHECK: tile.load {{.*}} -> !tile.tile<70x48xf16, #tile.shared<((64,2),48):((1,3072),64), swizzle = <3, 4, 3>, align = 1024>>
// CHECK: tile.load {{.*}} -> !tile.tile<48x96xf16, #tile.shared<(48,(32,3)):(32,(1,1536)), swizzle = <2, 4, 3>, align = 512>>
// CHECK: tile.load {{.*}} -> !tile.tile<70x96xf8E4M3FN, #tile.shared<(128,(32,3)):(32,(1,4096)), swizzle = <1, 4, 3>, align = 256>>
tile.kernel @odd(%x: memref<?x?xf16, #column>, %y: memref<?x?xf16, #row>,
                 %u: memref<?x?xf8E4M3FN, #row>, %v: memref<?x?xf8E4M3FN, #column>, %z: memref<?x?xf32, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #column> -> !tile.tile<70x48xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<48x96xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<70x96xf32>
  %d = tile.matmul %a, %b, %zero : !tile.tile<70x48xf16>, !tile.tile<48x96xf16> -> !tile.tile<70x96xf32>
  %e = tile.load %u[%c0, %c0] : memref<?x?xf8E4M3FN, #row> -> !tile.tile<70x96xf8E4M3FN>
  %f = tile.load %v[%c0, %c0] : memref<?x?xf8E4M3FN, #column> -> !tile.tile<96x96xf8E4M3FN>
  %g = tile.matmul %e, %f, %d precision fast_accumulation : !tile.tile<70x96xf8E4M3FN>, !tile.tile<96x96xf8E4M3FN> -> !tile.tile<70x96xf32>
  tile.store %g, %z[%c0, %c0] : !tile.tile<70x96xf32>, memref<?x?xf32, #row>
  tile.return
}

// Matrices of a batch are stored one after the other, even if the array has the batch
// between M and K. Each of two warpgroups has three matmuls.
// CHECK-LABEL: tile.kernel @batch
// CHECK: tile.load {{.*}} -> !tile.tile<64x6x128xf16, #tile.shared<(64,6,(64,2)):(64,8192,(1,4096)), swizzle = <3, 4, 3>, align = 1024>>
// CHECK: tile.load {{.*}} -> !tile.tile<128x32xf16, #tile.shared<(128,32):(32,1), swizzle = <2, 4, 3>, align = 512>>
// CHECK: tile.matmul
// CHECK-SAME: tiling <warps = [2, 4, 1], sub = [3, 1, 4], atom = #tile.wgmma<64x?x16, f16, f32>>
// CHECK-SAME: -> !tile.tile<6x64x32xf32, #tile.register<((4,8),(4,2),(2,2,4,3)):((2,32),(512,6144),(1,256,8,2048)), box = [6, 64, 32]>>
tile.kernel @batch(%x: memref<?x?x?xf16>, %y: memref<?x?xf16, #row>, %z: memref<?x?x?xf32>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf16> -> !tile.tile<64x6x128xf16>
  %a = tile.transpose %t [1, 0, 2] : !tile.tile<64x6x128xf16> to !tile.tile<6x64x128xf16>
  %b = tile.load %y[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<128x32xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<6x64x32xf32>
  %d = tile.matmul %a, %b, %zero tiling <warps = [2, 4, 1]> : !tile.tile<6x64x128xf16>, !tile.tile<128x32xf16> -> !tile.tile<6x64x32xf32>
  tile.store %d, %z[%c0, %c0, %c0] : !tile.tile<6x64x32xf32>, memref<?x?x?xf32>
  tile.return
}

}
