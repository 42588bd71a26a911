// Loads that are copied to shared memory move up to before matmuls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tile-opt %s -split-input-file -pass-pipeline='builtin.module(tile.kernel(tile-warp-tiling,tile-assign-storage,tile-assign-layouts,canonicalize,cse,tile-advance-copies))' | FileCheck %s

// A load moves with the computation of its offsets, and past a store to another array.
// CHECK-LABEL: tile.kernel @two_layers(
// CHECK:         tile.load %arg0
// CHECK:         tile.load %arg1
// CHECK:         arith.addi
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
// CHECK:         tile.store
// CHECK-NOT:     tile.load
// CHECK:         tile.matmul
tile.kernel @two_layers(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %y: memref<?x?xf32>, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
  %b = tile.load %w[%c0, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %c, %y[%c0, %c0] : !tile.tile<64x32xf32>, memref<?x?xf32>
  %t = tile.cast %c : !tile.tile<64x32xf32> to !tile.tile<64x32xf16>
  %j = arith.addi %i, %c1 : index
  %v = tile.load %w[%j, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %d = tile.matmul %t, %v, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %d, %y[%c1, %c0] : !tile.tile<64x32xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A load does not move past a store to its array, or to a part of it.
// CHECK-LABEL: tile.kernel @after_a_store(
// CHECK:         tile.matmul
// CHECK:         tile.store
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
tile.kernel @after_a_store(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %y: memref<?x?xf32>, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
  %b = tile.load %x[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  %t = tile.cast %c : !tile.tile<64x32xf32> to !tile.tile<64x32xf16>
  %part = memref.subview %w[%i, 0] [64, 32] [1, 1] : memref<?x?xf16> to memref<64x32xf16, strided<[?, 1], offset: ?>>
  tile.store %t, %part[%c0, %c0] : !tile.tile<64x32xf16>, memref<64x32xf16, strided<[?, 1], offset: ?>>
  %v = tile.load %w[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %d = tile.matmul %t, %v, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x32xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A load does not move past a fence or an atomic operation, which may order accesses.
// CHECK-LABEL: tile.kernel @after_a_fence(
// CHECK:         tile.matmul
// CHECK:         tile.fence
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
// CHECK:         tile.atomic_load
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
tile.kernel @after_a_fence(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %y: memref<?x?xf32>, %flag: memref<?xi32>, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
  %b = tile.load %x[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.fence acquire
  %v = tile.load %w[%c0, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %d = tile.matmul %a, %v, %c : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  %f = tile.atomic_load %flag[%c0] order acquire : memref<?xi32> -> !tile.tile<1xi32>
  %u = tile.load %w[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %e = tile.matmul %a, %u, %d : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %e, %y[%c0, %c0] : !tile.tile<64x32xf32>, memref<?x?xf32>
  tile.store %f, %flag[%c0] : !tile.tile<1xi32>, memref<?xi32>
  tile.return
}

// -----

// Loads do not move without room: 4 warps may have a quarter of a multiprocessor's shared
// memory.
// CHECK-LABEL: tile.kernel @without_room(
// CHECK:         tile.matmul
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
tile.kernel @without_room(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %y: memref<?x?xf32>, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x128xf16>
  %b = tile.load %x[%i, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<64x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<64x128xf32>
  %v = tile.load %w[%i, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
  %d = tile.matmul %a, %v, %c : !tile.tile<64x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<64x128xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x128xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A load that the offset needs does not move, as its own array may be written.
// CHECK-LABEL: tile.kernel @by_a_loaded_offset(
// CHECK:         tile.matmul
// CHECK:         tile.store
// CHECK:         tile.load %arg3
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
tile.kernel @by_a_loaded_offset(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %y: memref<?x?xf32>, %at: memref<?xi32>, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  %seven = arith.constant dense<7> : !tile.tile<1xi32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
  %b = tile.load %x[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %seven, %at[%c0] : !tile.tile<1xi32>, memref<?xi32>
  %t = tile.load %at[%c0] : memref<?xi32> -> !tile.tile<1xi32>
  %e = tile.extract %t[%c0] : !tile.tile<1xi32>
  %j = arith.index_cast %e : i32 to index
  %v = tile.load %w[%j, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %d = tile.matmul %a, %v, %c : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x32xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A load moves to before the second matmul if its offset depends on the first one.
// CHECK-LABEL: tile.kernel @before_the_second(
// CHECK:         tile.matmul
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
// CHECK-NOT:     tile.load
// CHECK:         tile.matmul
tile.kernel @before_the_second(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %y: memref<?x?xf32>, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
  %b = tile.load %x[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  %e = tile.extract %c[%c0, %c0] : !tile.tile<64x32xf32>
  %n = arith.fptosi %e : f32 to i32
  %j = arith.index_cast %n : i32 to index
  %d = tile.matmul %a, %b, %c : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  %v = tile.load %w[%j, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %f = tile.matmul %a, %v, %d : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %f, %y[%c0, %c0] : !tile.tile<64x32xf32>, memref<?x?xf32>
  tile.return
}

// -----

// A load does not move past a store to an array that is known only at run time.
// CHECK-LABEL: tile.kernel @after_a_store_to_either(
// CHECK:         tile.matmul
// CHECK:         tile.store
// CHECK:         tile.load %arg1
// CHECK:         tile.matmul
tile.kernel @after_a_store_to_either(%x: memref<?x?xf16>, %w: memref<?x?xf16>, %v: memref<?x?xf16>, %y: memref<?x?xf32>, %is: i1) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x32xf32>
  %a = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
  %b = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %c = tile.matmul %a, %b, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  %t = tile.cast %c : !tile.tile<64x32xf32> to !tile.tile<64x32xf16>
  %either = arith.select %is, %w, %v : memref<?x?xf16>
  tile.store %t, %either[%c0, %c0] : !tile.tile<64x32xf16>, memref<?x?xf16>
  %u = tile.load %w[%c0, %c0] : memref<?x?xf16> -> !tile.tile<32x32xf16>
  %d = tile.matmul %t, %u, %zero : !tile.tile<64x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<64x32xf32>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64x32xf32>, memref<?x?xf32>
  tile.return
}
