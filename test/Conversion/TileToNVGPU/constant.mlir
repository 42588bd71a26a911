// RUN: tile-opt %s -tile-to-nvvm -split-input-file | FileCheck %s

// A constant table is aligned to 16 bytes, and is read by vectors of 16 bytes.
// CHECK:       llvm.mlir.global private constant @tile_constant_vectors_0(
// CHECK-SAME:    addr_space = 1 : i32, alignment = 16 : i64{{.*}}!llvm.array<8 x array<16 x f32>>
// CHECK-LABEL: llvm.func @vectors(
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
// CHECK-NOT:     llvm.load {{.*}} -> f32
// CHECK-LABEL: llvm.func @vectors__general(
tile.kernel @vectors(%d: memref<8x16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<[
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
    [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
    [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
    [5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0],
    [6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0],
    [7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0]]> : !tile.tile<8x16xf32>
  tile.store %t, %d[%c0, %c0] : !tile.tile<8x16xf32>, memref<8x16xf32>
  tile.return
}

// -----

// Rows of three elements are unaligned; equal constants share a table.
// CHECK:       llvm.mlir.global private constant @tile_constant_odd_0(
// CHECK-NOT:   llvm.mlir.global private constant @tile_constant_odd_1(
// CHECK-LABEL: llvm.func @odd(
// CHECK:         llvm.load {{.*}} -> i16
// CHECK-NOT:     llvm.load {{.*}} -> vector
tile.kernel @odd(%d: memref<2x3xi16>, %e: memref<2x3xi16>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : !tile.tile<2x3xi16>
  tile.store %t, %d[%c0, %c0] : !tile.tile<2x3xi16>, memref<2x3xi16>
  %u = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : !tile.tile<2x3xi16>
  tile.store %u, %e[%c0, %c0] : !tile.tile<2x3xi16>, memref<2x3xi16>
  tile.return
}
