// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' | FileCheck %s

!half = !tile.tile<128x64xf16>
!rhs = !tile.tile<64x64xf16>
!sums = !tile.tile<128x64xf32>

// A chain: the result of one matmul is, through elementwise operations, the lhs of
// another. Each warp has whole rows of both, as many as registers allow.
// CHECK-LABEL: tile.kernel @gives_whole_rows_to_a_chain(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [4, 1], sub = [2, 8], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @gives_whole_rows_to_a_chain(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !half
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !rhs
  %bias = tile.load %y[%c0, %c0] : memref<?x?xf32> -> !sums
  %zero = arith.constant dense<0.0> : !sums
  %s = tile.matmul %a, %b, %zero : !half, !rhs -> !sums
  %t = arith.addf %s, %bias : !sums
  %h = tile.cast %t : !sums to !half
  %d = tile.matmul %h, %b, %zero : !half, !rhs -> !sums
  tile.store %d, %y[%c0, %c0] : !sums, memref<?x?xf32>
  tile.return
}

// The warps that the program specifies are kept.
// CHECK-LABEL: tile.kernel @keeps_given_warps(
// CHECK:         tile.matmul {{.*}} tiling <warps = [2, 2],
// CHECK:         tile.matmul {{.*}} tiling <warps = [4, 1],
tile.kernel @keeps_given_warps(%x: memref<?x?xf16>, %y: memref<?x?xf32>)
    attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !half
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !rhs
  %zero = arith.constant dense<0.0> : !sums
  %s = tile.matmul %a, %b, %zero tiling <warps = [2, 2]> : !half, !rhs -> !sums
  %h = tile.cast %s : !sums to !half
  %d = tile.matmul %h, %b, %zero : !half, !rhs -> !sums
  tile.store %d, %y[%c0, %c0] : !sums, memref<?x?xf32>
  tile.return
}

// Rows that whole instructions of all warps do not divide are distributed as for any
// matmul.
// CHECK-LABEL: tile.kernel @spreads_few_rows(
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [1, 4],
tile.kernel @spreads_few_rows(%x: memref<?x?xf16>, %y: memref<?x?xf32>)
    attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<30x64xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !rhs
  %zero = arith.constant dense<0.0> : !tile.tile<30x64xf32>
  %s = tile.matmul %a, %b, %zero : !tile.tile<30x64xf16>, !rhs -> !tile.tile<30x64xf32>
  %h = tile.cast %s : !tile.tile<30x64xf32> to !tile.tile<30x64xf16>
  %d = tile.matmul %h, %b, %zero : !tile.tile<30x64xf16>, !rhs -> !tile.tile<30x64xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<30x64xf32>, memref<?x?xf32>
  tile.return
}

// Values that the loop carries also need registers: eight warps instead of four.
// CHECK-LABEL: tile.kernel @leaves_registers_to_a_loop(
// CHECK-SAME:    attributes {block = 256 : i64{{[,}]}}
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [8, 1], sub = [1, 16], atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @leaves_registers_to_a_loop(%x: memref<?x?xf16>, %y: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %d = scf.for %k = %c0 to %n step %c128 iter_args(%out = %zero) -> !tile.tile<128x128xf32> {
    %b = tile.load %x[%k, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
    %s = tile.matmul %a, %b, %zero : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    %h = tile.cast %s : !tile.tile<128x128xf32> to !tile.tile<128x128xf16>
    %r = tile.matmul %h, %b, %out : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %r : !tile.tile<128x128xf32>
  }
  tile.store %d, %y[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// With fewer rows than four warps need, such as 16 heads that share keys, each warp has
// columns. With whole rows, a single warp would load, multiply and hold everything.
// CHECK-LABEL: tile.kernel @gives_columns_of_few_rows(
// CHECK-SAME:    attributes {block = 128 : i64{{[,}]}}
// CHECK-COUNT-2: tile.matmul {{.*}} tiling <warps = [1, 4], {{.*}} atom = #tile.mma<16x8x16, f16, f32>> :
tile.kernel @gives_columns_of_few_rows(%x: memref<?x?xf16>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %q = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<16x128xf16>
  %k = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<16x128xf32>
  %s = tile.matmul %q, %k, %zero : !tile.tile<16x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<16x128xf32>
  %h = tile.cast %s : !tile.tile<16x128xf32> to !tile.tile<16x128xf16>
  %d = tile.matmul %h, %k, %zero : !tile.tile<16x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<16x128xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<16x128xf32>, memref<?x?xf32>
  tile.return
}
