// Long rows that are used after a reduction are read again from shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tile-opt %s -split-input-file -pass-pipeline='builtin.module(tile-set-target{arch=sm_90a},tile.kernel(tile-reread-tiles))' | FileCheck %s

// The row is read in three sections, and the arithmetic on it is done in each: the cast in
// all, the difference in the last two. Loads of the last section stay there.
// CHECK-LABEL: tile.kernel @layer_norm(
// CHECK-SAME:    tile.blocks_per_processor = 2 : i64
// CHECK:         %[[X:.*]] = tile.load %arg0{{.*}} -> !tile.tile<1x16384xf16, #tile.shared>
// CHECK:         %[[X0:.*]] = tile.convert_layout %[[X]] {tile.reread = 0 : i64}
// CHECK:         %[[F0:.*]] = tile.cast %[[X0]]
// CHECK:         tile.reduce add %[[F0]]
// CHECK:         %[[MEAN:.*]] = tile.broadcast
// CHECK:         %[[X1:.*]] = tile.convert_layout %[[X]] {tile.reread = 1 : i64}
// CHECK:         %[[F1:.*]] = tile.cast %[[X1]]
// CHECK:         %[[C1:.*]] = arith.subf %[[F1]], %[[MEAN]]
// CHECK:         %[[S1:.*]] = arith.mulf %[[C1]], %[[C1]]
// CHECK:         tile.reduce add %[[S1]]
// CHECK:         %[[W:.*]] = tile.load %arg1{{.*}} -> !tile.tile<1x16384xf16>
// CHECK:         %[[X2:.*]] = tile.convert_layout %[[X]] {tile.reread = 2 : i64}
// CHECK:         %[[F2:.*]] = tile.cast %[[X2]]
// CHECK:         %[[C2:.*]] = arith.subf %[[F2]], %[[MEAN]]
// CHECK:         arith.mulf %[[C2]], %{{.*}}
tile.kernel @layer_norm(%x: memref<?x16384xf16>, %w: memref<1x16384xf16>, %b: memref<1x16384xf16>, %y: memref<?x16384xf16>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %row = tile.load %x[%i, %c0] : memref<?x16384xf16> -> !tile.tile<1x16384xf16>
  %wide = tile.cast %row : !tile.tile<1x16384xf16> to !tile.tile<1x16384xf32>
  %sum = tile.reduce add %wide axis 1 : !tile.tile<1x16384xf32> to !tile.tile<1xf32>
  %column = tile.reshape %sum : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %mean = tile.broadcast %column : !tile.tile<1x1xf32> to !tile.tile<1x16384xf32>
  %centred = arith.subf %wide, %mean : !tile.tile<1x16384xf32>
  %square = arith.mulf %centred, %centred : !tile.tile<1x16384xf32>
  %squares = tile.reduce add %square axis 1 : !tile.tile<1x16384xf32> to !tile.tile<1xf32>
  %root = math.rsqrt %squares : !tile.tile<1xf32>
  %root_column = tile.reshape %root : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %scale = tile.broadcast %root_column : !tile.tile<1x1xf32> to !tile.tile<1x16384xf32>
  %weights = tile.load %w[%c0, %c0] : memref<1x16384xf16> -> !tile.tile<1x16384xf16>
  %wide_weights = tile.cast %weights : !tile.tile<1x16384xf16> to !tile.tile<1x16384xf32>
  %shifts = tile.load %b[%c0, %c0] : memref<1x16384xf16> -> !tile.tile<1x16384xf16>
  %wide_shifts = tile.cast %shifts : !tile.tile<1x16384xf16> to !tile.tile<1x16384xf32>
  %scaled = arith.mulf %centred, %scale : !tile.tile<1x16384xf32>
  %weighted = arith.mulf %scaled, %wide_weights : !tile.tile<1x16384xf32>
  %shifted = arith.addf %weighted, %wide_shifts : !tile.tile<1x16384xf32>
  %narrow = tile.cast %shifted : !tile.tile<1x16384xf32> to !tile.tile<1x16384xf16>
  tile.store %narrow, %y[%i, %c0] : !tile.tile<1x16384xf16>, memref<?x16384xf16>
  tile.return
}

// -----

// Another tile in shared memory leaves no room for the row in two blocks.
// CHECK-LABEL: tile.kernel @other_shared_tile(
// CHECK-NOT:     tile.reread
tile.kernel @other_shared_tile(%x: memref<?x16384xf16>, %big: memref<49152xf32>, %w: memref<1x16384xf16>, %b: memref<1x16384xf16>, %y: memref<?x16384xf16>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %table = tile.load %big[%c0] : memref<49152xf32> -> !tile.tile<49152xf32, #tile.shared>
  %entry = tile.extract %table[%i] : !tile.tile<49152xf32, #tile.shared>
  %row = tile.load %x[%i, %c0] : memref<?x16384xf16> -> !tile.tile<1x16384xf16>
  %wide = tile.cast %row : !tile.tile<1x16384xf16> to !tile.tile<1x16384xf32>
  %sum = tile.reduce add %wide axis 1 : !tile.tile<1x16384xf32> to !tile.tile<1xf32>
  %column = tile.reshape %sum : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %mean = tile.broadcast %column : !tile.tile<1x1xf32> to !tile.tile<1x16384xf32>
  %entries = tile.fill %entry : !tile.tile<1x16384xf32>
  %centred = arith.subf %wide, %mean : !tile.tile<1x16384xf32>
  %square = arith.mulf %centred, %centred : !tile.tile<1x16384xf32>
  %squares = tile.reduce add %square axis 1 : !tile.tile<1x16384xf32> to !tile.tile<1xf32>
  %squares_column = tile.reshape %squares : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %scale = tile.broadcast %squares_column : !tile.tile<1x1xf32> to !tile.tile<1x16384xf32>
  %weights = tile.load %w[%c0, %c0] : memref<1x16384xf16> -> !tile.tile<1x16384xf16>
  %wide_weights = tile.cast %weights : !tile.tile<1x16384xf16> to !tile.tile<1x16384xf32>
  %shifts = tile.load %b[%c0, %c0] : memref<1x16384xf16> -> !tile.tile<1x16384xf16>
  %wide_shifts = tile.cast %shifts : !tile.tile<1x16384xf16> to !tile.tile<1x16384xf32>
  %scaled = arith.mulf %centred, %scale : !tile.tile<1x16384xf32>
  %weighted = arith.mulf %scaled, %wide_weights : !tile.tile<1x16384xf32>
  %shifted = arith.addf %weighted, %wide_shifts : !tile.tile<1x16384xf32>
  %last = arith.addf %shifted, %entries : !tile.tile<1x16384xf32>
  %narrow = tile.cast %last : !tile.tile<1x16384xf32> to !tile.tile<1x16384xf16>
  tile.store %narrow, %y[%i, %c0] : !tile.tile<1x16384xf16>, memref<?x16384xf16>
  tile.return
}

// -----

// A multiprocessor has two blocks anyway.
// CHECK-LABEL: tile.kernel @short_rows(
// CHECK-NOT:     tile.reread
tile.kernel @short_rows(%x: memref<?x8192xf16>, %y: memref<?x8192xf16>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %row = tile.load %x[%i, %c0] : memref<?x8192xf16> -> !tile.tile<1x8192xf16>
  %sum = tile.reduce add %row axis 1 : !tile.tile<1x8192xf16> to !tile.tile<1xf16>
  %column = tile.reshape %sum : !tile.tile<1xf16> to !tile.tile<1x1xf16>
  %mean = tile.broadcast %column : !tile.tile<1x1xf16> to !tile.tile<1x8192xf16>
  %centred = arith.subf %row, %mean : !tile.tile<1x8192xf16>
  tile.store %centred, %y[%i, %c0] : !tile.tile<1x8192xf16>, memref<?x8192xf16>
  tile.return
}

// -----

// Uses in a branch and in a loop belong to the section that the branch and the loop are in.
// CHECK-LABEL: tile.kernel @nested_uses(
// CHECK:         %[[X:.*]] = tile.load %arg0{{.*}}#tile.shared>
// CHECK:         tile.convert_layout %[[X]] {tile.reread = 0 : i64}
// CHECK:         tile.reduce
// CHECK:         %[[X1:.*]] = tile.convert_layout %[[X]] {tile.reread = 1 : i64}
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      tile.store %[[X1]]
// CHECK:         scf.for
// CHECK:           arith.addf %{{.*}}, %[[X1]]
tile.kernel @nested_uses(%x: memref<?x24576xf32>, %y: memref<?x24576xf32>, %z: memref<?xf32>, %is: i1) attributes {block = 512 : i64, tile.blocks_per_processor = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %i = tile.program_id x
  %zero = arith.constant dense<0.0> : !tile.tile<1x24576xf32>
  %row = tile.load %x[%i, %c0] : memref<?x24576xf32> -> !tile.tile<1x24576xf32>
  %sum = tile.reduce add %row axis 1 : !tile.tile<1x24576xf32> to !tile.tile<1xf32>
  tile.store %sum, %z[%i] : !tile.tile<1xf32>, memref<?xf32>
  scf.if %is {
    tile.store %row, %y[%i, %c0] : !tile.tile<1x24576xf32>, memref<?x24576xf32>
  }
  %last = scf.for %k = %c0 to %c9 step %c1 iter_args(%total = %zero) -> !tile.tile<1x24576xf32> {
    %next = arith.addf %total, %row : !tile.tile<1x24576xf32>
    scf.yield %next : !tile.tile<1x24576xf32>
  }
  tile.store %last, %y[%i, %c0] : !tile.tile<1x24576xf32>, memref<?x24576xf32>
  tile.return
}

// -----

// Two rows of f32 that are used with it in the last section leave no room for a second
// block.
// CHECK-LABEL: tile.kernel @no_second_block(
// CHECK-NOT:     tile.reread
tile.kernel @no_second_block(%x: memref<?x16384xf32>, %w: memref<1x16384xf32>, %b: memref<1x16384xf32>, %y: memref<?x16384xf32>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %row = tile.load %x[%i, %c0] : memref<?x16384xf32> -> !tile.tile<1x16384xf32>
  %sum = tile.reduce add %row axis 1 : !tile.tile<1x16384xf32> to !tile.tile<1xf32>
  %column = tile.reshape %sum : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %mean = tile.broadcast %column : !tile.tile<1x1xf32> to !tile.tile<1x16384xf32>
  %weights = tile.load %w[%c0, %c0] : memref<1x16384xf32> -> !tile.tile<1x16384xf32>
  %shifts = tile.load %b[%c0, %c0] : memref<1x16384xf32> -> !tile.tile<1x16384xf32>
  %centred = arith.subf %row, %mean : !tile.tile<1x16384xf32>
  %weighted = arith.mulf %centred, %weights : !tile.tile<1x16384xf32>
  %shifted = arith.addf %weighted, %shifts : !tile.tile<1x16384xf32>
  tile.store %shifted, %y[%i, %c0] : !tile.tile<1x16384xf32>, memref<?x16384xf32>
  tile.return
}

// -----

// Exponentials are held, not computed again.
// CHECK-LABEL: tile.kernel @exponentials(
// CHECK-NOT:     tile.reread
tile.kernel @exponentials(%x: memref<?x32768xf32>, %y: memref<?x32768xf32>) attributes {block = 256 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %row = tile.load %x[%i, %c0] : memref<?x32768xf32> -> !tile.tile<1x32768xf32>
  %e = math.exp %row : !tile.tile<1x32768xf32>
  %sum = tile.reduce add %e axis 1 : !tile.tile<1x32768xf32> to !tile.tile<1xf32>
  %column = tile.reshape %sum : !tile.tile<1xf32> to !tile.tile<1x1xf32>
  %all = tile.broadcast %column : !tile.tile<1x1xf32> to !tile.tile<1x32768xf32>
  %centred = arith.subf %e, %all : !tile.tile<1x32768xf32>
  tile.store %centred, %y[%i, %c0] : !tile.tile<1x32768xf32>, memref<?x32768xf32>
  tile.return
}
