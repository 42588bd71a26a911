// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -canonicalize -cse | FileCheck %s

// Operands of matmuls that are boxes of larger tiles in shared memory.
module attributes {tile.target = "sm_80"} {
// Boxes that start at the start of a row, with padding only after whole rows, are read
// in place. The tile's rows are padded to the columns that the matmul reads.
// CHECK-LABEL: @in_place
tile.kernel @in_place(%x: memref<78x18xf32>, %w: memref<78x6xf32>, %y: memref<6x18xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c78 = arith.constant 78 : index
  // CHECK: %[[X:.*]] = tile.load {{.*}} -> !tile.tile<78x18xf32, #tile.shared<(78,32):(32,1)>>
  %all = tile.load %x[%c0, %c0] : memref<78x18xf32> -> !tile.tile<78x18xf32>
  // CHECK: %[[W:.*]] = tile.load {{.*}} -> !tile.tile<78x6xf32, #tile.shared<(78,6):(6,1)>>
  %parts = tile.load %w[%c0, %c0] : memref<78x6xf32> -> !tile.tile<78x6xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  // CHECK: scf.for %[[ROW:arg[0-9]+]] =
  %sum = scf.for %row = %c0 to %c78 step %c6 iter_args(%acc = %zero) -> (!tile.tile<6x18xf32>) {
    // CHECK: %[[B:.*]] = tile.view %[[X]][%[[ROW]],
    %b = tile.view %all[%row, %c0] : !tile.tile<78x18xf32> to !tile.tile<6x18xf32>
    // CHECK: %[[A:.*]] = tile.view %[[W]][%[[ROW]],
    %a = tile.view %parts[%row, %c0] : !tile.tile<78x6xf32> to !tile.tile<6x6xf32>
    // CHECK-NEXT: tile.matmul %[[A]], %[[B]],
    %d = tile.matmul %a, %b, %acc tiling <warps = [1, 1], sub = [3, 1], thread = [1, 2]>
        : !tile.tile<6x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<6x18xf32>
    scf.yield %d : !tile.tile<6x18xf32>
  }
  tile.store %sum, %y[%c0, %c0] : !tile.tile<6x18xf32>, memref<6x18xf32>
  tile.return
}

// The padding of the box would be other rows of the tile, so the box is copied.
// CHECK-LABEL: @padded_rows
tile.kernel @padded_rows(%x: memref<78x18xf32>, %w: memref<78x6xf32>, %y: memref<6x18xf32>, %row: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %parts = tile.load %w[%c0, %c0] : memref<78x6xf32> -> !tile.tile<78x6xf32>
  %b = tile.load %x[%c0, %c0] : memref<78x18xf32> -> !tile.tile<6x18xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<6x18xf32>
  // CHECK: %[[A:.*]] = tile.view
  %a = tile.view %parts[%row, %c0] : !tile.tile<78x6xf32> to !tile.tile<6x6xf32>
  // CHECK: %[[S:.*]] = tile.convert_layout %[[A]] : {{.*}} to !tile.tile<6x6xf32, #tile.shared<(8,6):
  // CHECK: tile.matmul %[[S]],
  %d = tile.matmul %a, %b, %zero tiling <warps = [1, 1], sub = [1, 3], thread = [1, 2]>
      : !tile.tile<6x6xf32>, !tile.tile<6x18xf32> -> !tile.tile<6x18xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<6x18xf32>, memref<6x18xf32>
  tile.return
}

// A box that starts at any column of its rows is copied, too.
// CHECK-LABEL: @unaligned_columns
tile.kernel @unaligned_columns(%x: memref<78x18xf32>, %w: memref<8x78xf32>, %y: memref<8x16xf32>, %column: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %parts = tile.load %w[%c0, %c0] : memref<8x78xf32> -> !tile.tile<8x78xf32>
  %b = tile.load %x[%c0, %c0] : memref<78x18xf32> -> !tile.tile<6x16xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<8x16xf32>
  // CHECK: %[[A:.*]] = tile.view
  %a = tile.view %parts[%c0, %column] : !tile.tile<8x78xf32> to !tile.tile<8x6xf32>
  // CHECK: %[[S:.*]] = tile.convert_layout %[[A]] :
  // CHECK: tile.matmul %[[S]],
  %d = tile.matmul %a, %b, %zero : !tile.tile<8x6xf32>, !tile.tile<6x16xf32> -> !tile.tile<8x16xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<8x16xf32>, memref<8x16xf32>
  tile.return
}

// A stencil whose lanes read four adjacent elements each: two rows would have bank
// conflicts with any pitch, 34 or 35. Narrower reads cost less than the conflicts.
// CHECK-LABEL: tile.kernel @stencil
// CHECK: tile.load {{.*}} -> !tile.tile<6x10x34xf32, #tile.shared<(6,10,34):(350,35,1)>>
tile.kernel @stencil(%x: memref<?x?x?xf32, strided<[?, ?, 1]>>, %y: memref<?x?x?xf32, strided<[?, ?, 1]>> {tile.assumed_alignment = 16 : i64, tile.assumed_stride_alignment = 16 : i64}) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tile.load %x[%c0, %c0, %c0] : memref<?x?x?xf32, strided<[?, ?, 1]>> -> !tile.tile<6x10x34xf32, #tile.shared>
  %a = tile.view %t[%c1, %c1, %c1] : !tile.tile<6x10x34xf32, #tile.shared> to !tile.tile<4x8x32xf32, #tile.shared>
  %b = tile.view %t[%c0, %c1, %c1] : !tile.tile<6x10x34xf32, #tile.shared> to !tile.tile<4x8x32xf32, #tile.shared>
  %c = tile.view %t[%c1, %c1, %c2] : !tile.tile<6x10x34xf32, #tile.shared> to !tile.tile<4x8x32xf32, #tile.shared>
  %r0 = tile.convert_layout %a : !tile.tile<4x8x32xf32, #tile.shared> to !tile.tile<4x8x32xf32>
  %r1 = tile.convert_layout %b : !tile.tile<4x8x32xf32, #tile.shared> to !tile.tile<4x8x32xf32>
  %r2 = tile.convert_layout %c : !tile.tile<4x8x32xf32, #tile.shared> to !tile.tile<4x8x32xf32>
  %s = arith.addf %r0, %r1 : !tile.tile<4x8x32xf32>
  %u = arith.addf %s, %r2 : !tile.tile<4x8x32xf32>
  tile.store %u, %y[%c0, %c0, %c0] : !tile.tile<4x8x32xf32>, memref<?x?x?xf32, strided<[?, ?, 1]>>
  tile.return
}
}
