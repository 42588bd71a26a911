// Matmuls by FMA that add up to one accumulator have one tiling, the cheapest for all of
// them, so that the sum stays in its registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling))' | FileCheck %s

// CHECK-LABEL: tile.kernel @sum
tile.kernel @sum(%x: memref<?x?xf32>, %m: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x18xf32>
  %a = tile.load %m[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x6xf32>
  %d = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<18x18xf32>
  %t = tile.transpose %a [1, 0] : !tile.tile<6x6xf32> to !tile.tile<6x6xf32>
  // Alone, the first one has another tiling.
  // CHECK: tile.matmul {{.*}} tiling <warps = [1, 1], sub = [1, 1], thread = [4, 2]
  %alone = tile.matmul %t, %b, %zero : !tile.tile<6x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<6x18xf32>
  tile.store %alone, %y[%c0, %c0] : !tile.tile<6x18xf32>, memref<?x?xf32>
  // CHECK: tile.matmul {{.*}} tiling <[[TILING:warps = \[1, 1\], sub = \[3, 1\], thread = \[1, 2\], atom = #tile.fma]]>
  // CHECK: tile.matmul {{.*}} tiling <[[TILING]]>
  %part = tile.matmul %t, %b, %zero : !tile.tile<6x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<6x18xf32>
  %sum = tile.matmul %b, %d, %part : !tile.tile<6x18xf32>, !tile.tile<18x18xf32> -> !tile.tile<6x18xf32>
  tile.store %sum, %y[%c0, %c0] : !tile.tile<6x18xf32>, memref<?x?xf32>
  tile.return
}

// A computed tile is transposed in registers, and its copy in shared memory has the rows
// of the transpose: its columns, not its rows, are read as vectors.
// CHECK-LABEL: tile.kernel @computed
tile.kernel @computed(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<6x18xf32>
  %d = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<18x18xf32>
  %e = math.exp %d : !tile.tile<18x18xf32>
  %t = tile.transpose %e [1, 0] : !tile.tile<18x18xf32> to !tile.tile<18x18xf32>
  // CHECK: tile.matmul {{.*}} tiling <warps = [1, 1], sub = [3, 1], thread = [1, 2]
  %c = tile.matmul %a, %t, %zero : !tile.tile<6x18xf32>, !tile.tile<18x18xf32> -> !tile.tile<6x18xf32>
  tile.store %c, %y[%c0, %c0] : !tile.tile<6x18xf32>, memref<?x?xf32>
  tile.return
}
