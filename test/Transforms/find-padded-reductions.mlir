// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tile-opt %s -tile-find-padded-reductions -verify-diagnostics | FileCheck %s

// The pass changes nothing.
// CHECK-LABEL: tile.kernel @maximum
// CHECK: tile.reduce max
tile.kernel @maximum(%x: memref<?x?xf32> {tile.name = "x"}, %i: index) {
  // expected-note @below {{the load is here}}
  %t = tile.load %x[%i, %i] : memref<?x?xf32> -> !tile.tile<8x128xf32>
  // expected-warning @below {{the maximum along axis 1 includes the zeros that a load reads beyond the end of 'x', where the size of its dimension 1 is no multiple of 128: give the load a pad that changes nothing}}
  %m = tile.reduce max %t axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  // A load gets only one warning.
  %n = tile.reduce min %t axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  tile.return
}

// Rows outside the array only affect rows of the result that the store drops.
tile.kernel @rows(%x: memref<?x128xf32>, %i: index) {
  %t = tile.load %x[%i, %i] : memref<?x128xf32> -> !tile.tile<8x128xf32>
  %m = tile.reduce max %t axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  tile.return
}

// After a reduction of padded rows, a second reduction includes results of padding.
tile.kernel @all(%x: memref<?x128xf32>, %i: index) {
  // expected-note @below {{the load is here}}
  %t = tile.load %x[%i, %i] : memref<?x128xf32> -> !tile.tile<8x128xf32>
  %m = tile.reduce min %t axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  // expected-warning @below {{the minimum of all elements includes the zeros that a load reads beyond the end of argument 0, where the size of its dimension 0 is no multiple of 8}}
  %n = tile.reduce min %m : !tile.tile<8xf32> to !tile.tile<f32>
  tile.return
}

// No warning: zeros do not change sums of elements, of squares and of multiples.
tile.kernel @sums(%x: memref<?x?xf32>, %i: index, %s: f32) {
  %t = tile.load %x[%i, %i] : memref<?x?xf32> -> !tile.tile<8x128xf32>
  %a = tile.reduce add %t axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  %u = arith.mulf %t, %t : !tile.tile<8x128xf32>
  %b = tile.reduce add %u axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  %f = tile.fill %s : !tile.tile<8x128xf32>
  %v = arith.mulf %t, %f : !tile.tile<8x128xf32>
  %c = tile.reduce add %v axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  // No warning: zeros do not change the maximum of elements that are never negative.
  %w = math.absf %t : !tile.tile<8x128xf32>
  %d = tile.reduce max %w axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  tile.return
}

// The sum includes padding that is no longer zero: exp(0 - maximum).
tile.kernel @softmax(%x: memref<?x?xf32>, %i: index, %s: f32) {
  %m = tile.fill %s : !tile.tile<8x1xf32>
  // expected-note @below {{the load is here}}
  %t = tile.load %x[%i, %i] : memref<?x?xf32> -> !tile.tile<8x128xf32>
  %b = tile.broadcast %m : !tile.tile<8x1xf32> to !tile.tile<8x128xf32>
  %d = arith.subf %t, %b : !tile.tile<8x128xf32>
  %e = math.exp %d : !tile.tile<8x128xf32>
  // expected-warning @below {{the sum along axis 1 includes the zeros that a load reads beyond the end of argument 0, where the size of its dimension 1 is no multiple of 128: mask the elements that are computed of them}}
  %r = tile.reduce add %e axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  tile.return
}

// A sum divided by the tile's extent is an average, which counts the padding.
tile.kernel @average(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %i: index) {
  // expected-note @below {{the load is here}}
  %t = tile.load %x[%i, %i] : memref<?x?xf32> -> !tile.tile<8x100xf32>
  %s = tile.reduce add %t axis 1 : !tile.tile<8x100xf32> to !tile.tile<8xf32>
  %n = arith.constant dense<100.0> : !tile.tile<8xf32>
  // expected-warning @below {{the average over 100 elements includes the zeros that a load reads beyond the end of argument 0, where the size of its dimension 1 is no multiple of 100: divide by the number of elements inside}}
  %a = arith.divf %s, %n : !tile.tile<8xf32>
  // No warning: a sum divided by another value is not an average.
  %u = tile.load %y[%i, %i] : memref<?x?xf32> -> !tile.tile<8x100xf32>
  %r = tile.reduce add %u axis 1 : !tile.tile<8x100xf32> to !tile.tile<8xf32>
  %two = arith.constant dense<2.0> : !tile.tile<8xf32>
  %h = arith.divf %r, %two : !tile.tile<8xf32>
  tile.return
}

// No warning: the program has a pad value, `in_bounds` or a mask.
tile.kernel @meant(%x: memref<?x?xf32>, %i: index, %n: i32) {
  %low = arith.constant 0xFF800000 : f32
  %t = tile.load %x[%i, %i] pad %low : memref<?x?xf32> -> !tile.tile<8x128xf32>
  %m = tile.reduce max %t axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  %u = tile.load %x[%i, %i] in_bounds : memref<?x?xf32> -> !tile.tile<8x128xf32>
  %o = tile.reduce max %u axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  %v = tile.load %x[%i, %i] : memref<?x?xf32> -> !tile.tile<8x128xf32>
  %j = tile.iota axis 1 : !tile.tile<8x128xi32>
  %e = tile.fill %n : !tile.tile<8x128xi32>
  %in = arith.cmpi slt, %j, %e : !tile.tile<8x128xi32>
  %f = tile.fill %low : !tile.tile<8x128xf32>
  %w = tile.select %in, %v, %f : !tile.tile<8x128xi1>, !tile.tile<8x128xf32>
  %p = tile.reduce max %w axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
  tile.return
}

// If the array's size is known, only a load that can exceed it gets a warning.
tile.kernel @sizes(%x: memref<64x256xf32>, %y: memref<64x200xf32>, %i: index) {
  %t = tile.load %x[%i, %i] : memref<64x256xf32> -> !tile.tile<8x128xf32>
  %m = tile.reduce max %t : !tile.tile<8x128xf32> to !tile.tile<f32>
  // expected-note @below {{the load is here}}
  %u = tile.load %y[%i, %i] : memref<64x200xf32> -> !tile.tile<8x128xf32>
  // expected-warning @below {{the product of all elements includes the zeros that a load reads beyond the end of argument 1, where the size of its dimension 1 is no multiple of 128}}
  %p = tile.reduce mul %u : !tile.tile<8x128xf32> to !tile.tile<f32>
  tile.return
}

// `dims` and a transpose change which axis of the tile is padded.
tile.kernel @dims(%x: memref<?x64x?xf32>, %i: index) {
  // expected-note @below {{the load is here}}
  %t = tile.load %x[%i, %i, %i] dims [0, 1] : memref<?x64x?xf32> -> !tile.tile<16x64xf32>
  %u = tile.transpose %t [1, 0] : !tile.tile<16x64xf32> to !tile.tile<64x16xf32>
  %m = tile.reduce max %u axis 0 : !tile.tile<64x16xf32> to !tile.tile<16xf32>
  // expected-warning @below {{the maximum along axis 1 includes the zeros that a load reads beyond the end of argument 0, where the size of its dimension 0 is no multiple of 16}}
  %n = tile.reduce max %u axis 1 : !tile.tile<64x16xf32> to !tile.tile<64xf32>
  tile.return
}

// Sorts and searches order the padding together with the elements.
tile.kernel @order(%x: memref<?xf32>, %y: memref<?xi32>, %z: memref<?xf32>, %i: index) {
  // expected-note @below {{the load is here}}
  %t = tile.load %x[%i] : memref<?xf32> -> !tile.tile<100xf32>
  // expected-warning @below {{the order along axis 0 includes the zeros}}
  %s = tile.sort %t axis 0 : !tile.tile<100xf32>
  // expected-note @below {{the load is here}}
  %u = tile.load %y[%i] : memref<?xi32> -> !tile.tile<100xi32>
  // expected-warning @below {{the order along axis 0 includes the zeros}}
  %v, %w = tile.top_k %u axis 0 : !tile.tile<100xi32> to !tile.tile<3xi32>, !tile.tile<3xi32>
  // expected-note @below {{the load is here}}
  %a = tile.load %z[%i] : memref<?xf32> -> !tile.tile<100xf32>
  // expected-warning @below {{the order of all elements includes the zeros}}
  %b, %c = tile.arg_reduce max %a : !tile.tile<100xf32> to !tile.tile<f32>, !tile.tile<i32>
  tile.return
}

// Zero is the identity of some reductions of integers, but not of `and`.
tile.kernel @integers(%x: memref<?xi32>, %y: memref<?xi1>, %i: index) {
  %t = tile.load %x[%i] : memref<?xi32> -> !tile.tile<100xi32>
  %a = tile.reduce umax %t : !tile.tile<100xi32> to !tile.tile<i32>
  %b = tile.reduce or %t : !tile.tile<100xi32> to !tile.tile<i32>
  // expected-note @below {{the load is here}}
  %u = tile.load %y[%i] : memref<?xi1> -> !tile.tile<100xi1>
  // expected-warning @below {{the reduction of all elements includes the zeros}}
  %c = tile.reduce and %u : !tile.tile<100xi1> to !tile.tile<i1>
  tile.return
}
