// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' | FileCheck %s

!half = !tile.tile<128x64xf16>
!rhs = !tile.tile<64x64xf16>
!sums = !tile.tile<128x64xf32>
#row = strided<[?, 1]>
module attributes {tile.target = "sm_90a"} {

// A chain is distributed over warpgroups, one for each 64 rows; both matmuls read one
// rhs.
// CHECK-LABEL: tile.kernel @chain(
// CHECK-SAME:    attributes {block = 256 : i64{{[,}]}}
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [8, 1], sub = [1, 8], atom = #tile.wgmma<64x?x16, f16, f32>> :
tile.kernel @chain(%x: memref<?x?xf16, #row>, %y: memref<?x?xf32, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !half
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !rhs
  %zero = arith.constant dense<0.0> : !sums
  %s = tile.matmul %a, %b, %zero : !half, !rhs -> !sums
  %h = tile.cast %s : !sums to !half
  %d = tile.matmul %h, %b, %zero : !half, !rhs -> !sums
  tile.store %d, %y[%c0, %c0] : !sums, memref<?x?xf32, #row>
  tile.return
}

// 100 rows are distributed over two warpgroups, of which the second has 36 rows.
// CHECK-LABEL: tile.kernel @rows_of_a_part(
// CHECK-SAME:    attributes {block = 256 : i64{{[,}]}}
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [8, 1], sub = [1, 8], atom = #tile.wgmma<64x?x16, f16, f32>> :
tile.kernel @rows_of_a_part(%x: memref<?x?xf16, #row>, %y: memref<?x?xf32, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<100x64xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !rhs
  %zero = arith.constant dense<0.0> : !tile.tile<100x64xf32>
  %s = tile.matmul %a, %b, %zero : !tile.tile<100x64xf16>, !rhs -> !tile.tile<100x64xf32>
  %h = tile.cast %s : !tile.tile<100x64xf32> to !tile.tile<100x64xf16>
  %d = tile.matmul %h, %b, %zero : !tile.tile<100x64xf16>, !rhs -> !tile.tile<100x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<100x64xf32>, memref<?x?xf32, #row>
  tile.return
}

// A matmul with 3 columns does not use warpgroup instructions, since descriptors
// describe rows of at least 32 bytes. The instruction of a warp computes it in the same
// registers.
// CHECK-LABEL: tile.kernel @few_columns_at_the_end(
// CHECK:         tile.matmul {{.*}} tiling <warps = [8, 1], sub = [1, 8], atom = #tile.wgmma<64x?x16, f16, f32>> :
// CHECK:         tile.matmul {{.*}} tiling <warps = [8, 1], sub = [1, 1], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @few_columns_at_the_end(%x: memref<?x?xf16, #row>, %y: memref<?x?xf32, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !half
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !rhs
  %w = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x3xf16>
  %zero = arith.constant dense<0.0> : !sums
  %none = arith.constant dense<0.0> : !tile.tile<128x3xf32>
  %s = tile.matmul %a, %b, %zero : !half, !rhs -> !sums
  %h = tile.cast %s : !sums to !half
  %d = tile.matmul %h, %w, %none : !half, !tile.tile<64x3xf16> -> !tile.tile<128x3xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<128x3xf32>, memref<?x?xf32, #row>
  tile.return
}

// With 128 threads a warp has 32 rows. In warpgroup instructions these would be 64
// apart, in instructions of a warp 16, so the chain uses the latter and stays in
// registers.
// CHECK-LABEL: tile.kernel @rows_of_one_warpgroup(
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [4, 1], {{.*}} atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @rows_of_one_warpgroup(%x: memref<?x?xf16, #row>, %y: memref<?x?xf32, #row>)
    attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !half
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !rhs
  %w = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<64x3xf16>
  %zero = arith.constant dense<0.0> : !sums
  %none = arith.constant dense<0.0> : !tile.tile<128x3xf32>
  %s = tile.matmul %a, %b, %zero : !half, !rhs -> !sums
  %h = tile.cast %s : !sums to !half
  %d = tile.matmul %h, %w, %none : !half, !tile.tile<64x3xf16> -> !tile.tile<128x3xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<128x3xf32>, memref<?x?xf32, #row>
  tile.return
}

// Two matmuls use a load as different operands, whose descriptors name the same panels.
// CHECK-LABEL: tile.kernel @operand_on_both_sides(
// CHECK-COUNT-2: tile.matmul {{.*}} atom = #tile.wgmma<64x?x16, f16, f32>> :
tile.kernel @operand_on_both_sides(%x: memref<?x?xf16, #row>, %y: memref<?x?xf32, #row>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !rhs
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !rhs
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %s = tile.matmul %a, %b, %zero : !rhs, !rhs -> !tile.tile<64x64xf32>
  %d = tile.matmul %b, %a, %s : !rhs, !rhs -> !tile.tile<64x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, #row>
  tile.return
}

// A branch, such as one that applies a causal mask, belongs to the chain. Masks that
// are computed only from indices do not count as registers, which would require more
// warps.
// CHECK-LABEL: tile.kernel @branch(
// CHECK-SAME:    attributes {block = 256 : i64{{[,}]}}
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [8, 1], sub = [1, 16], atom = #tile.wgmma<64x?x16, f16, f32>> :
tile.kernel @branch(%x: memref<?x?xf16, #row>, %y: memref<?x?xf32, #row>, %n: index, %i: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16, #row> -> !tile.tile<128x128xf16>
  %none = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %column = tile.iota axis 1 : !tile.tile<128x128xi32>
  %first = tile.fill %i : !tile.tile<128x128xi32>
  %places = arith.addi %column, %first : !tile.tile<128x128xi32>
  %row = tile.iota axis 0 : !tile.tile<128x128xi32>
  %all = scf.for %k = %c0 to %n step %c1 iter_args(%d = %none) -> (!tile.tile<128x128xf32>) {
    %b = tile.load %x[%k, %c0] : memref<?x?xf16, #row> -> !tile.tile<128x128xf16>
    %s = tile.matmul %a, %b, %none : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    %isLast = arith.cmpi eq, %k, %n : index
    %t = scf.if %isLast -> (!tile.tile<128x128xf32>) {
      %counts = arith.cmpi slt, %places, %row : !tile.tile<128x128xi32>
      %kept = tile.select %counts, %s, %none : !tile.tile<128x128xi1>, !tile.tile<128x128xf32>
      scf.yield %kept : !tile.tile<128x128xf32>
    } else {
      scf.yield %s : !tile.tile<128x128xf32>
    }
    %h = tile.cast %t : !tile.tile<128x128xf32> to !tile.tile<128x128xf16>
    %e = tile.matmul %h, %b, %d : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %e : !tile.tile<128x128xf32>
  }
  tile.store %all, %y[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32, #row>
  tile.return
}

}
