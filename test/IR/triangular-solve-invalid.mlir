// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>, %y: memref<18x3xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  %b = tile.load %y[%c0, %c0] : memref<18x3xf32> -> !tile.tile<18x3xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %r = tile.triangular_solve %a, %b : !tile.tile<18x17xf32>, !tile.tile<18x3xf32>
  tile.return
}

// -----

tile.kernel @rows(%x: memref<17x17xf32>, %y: memref<18x3xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<17x17xf32> -> !tile.tile<17x17xf32>
  %b = tile.load %y[%c0, %c0] : memref<18x3xf32> -> !tile.tile<18x3xf32>
  // expected-error@+1 {{expected matrices of 17 rows (the triangle's), got '!tile.tile<18x3xf32>'}}
  %r = tile.triangular_solve %a, %b : !tile.tile<17x17xf32>, !tile.tile<18x3xf32>
  tile.return
}

// -----

tile.kernel @columns(%x: memref<18x18xf32>, %y: memref<18x3xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %b = tile.load %y[%c0, %c0] : memref<18x3xf32> -> !tile.tile<18x3xf32>
  // expected-error@+1 {{expected matrices of 18 columns (the triangle's), got '!tile.tile<18x3xf32>'}}
  %r = tile.triangular_solve %a, %b right : !tile.tile<18x18xf32>, !tile.tile<18x3xf32>
  tile.return
}

// -----

tile.kernel @batch(%x: memref<4x6x6xf32>, %y: memref<6x3xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x6x6xf32> -> !tile.tile<4x6x6xf32>
  %b = tile.load %y[%c0, %c0] : memref<6x3xf32> -> !tile.tile<6x3xf32>
  // expected-error@+1 {{expected right-hand sides of 3 dimensions, [4] before the last two (the triangle's), got '!tile.tile<6x3xf32>'}}
  %r = tile.triangular_solve %a, %b : !tile.tile<4x6x6xf32>, !tile.tile<6x3xf32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<6x6xf32>, %y: memref<6x3xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<6x6xf32> -> !tile.tile<6x6xf32>
  %b = tile.load %y[%c0, %c0] : memref<6x3xf64> -> !tile.tile<6x3xf64>
  // expected-error@+1 {{expected right-hand sides of 'f32' (the triangle's elements), got '!tile.tile<6x3xf64>'}}
  %r = tile.triangular_solve %a, %b : !tile.tile<6x6xf32>, !tile.tile<6x3xf64>
  tile.return
}

// -----

tile.kernel @most(%x: memref<129x129xf32>, %y: memref<129x3xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<129x129xf32> -> !tile.tile<129x129xf32>
  %b = tile.load %y[%c0, %c0] : memref<129x3xf32> -> !tile.tile<129x3xf32>
  // expected-error@+1 {{expected at most 128 rows of 'f32', got 129}}
  %r = tile.triangular_solve %a, %b : !tile.tile<129x129xf32>, !tile.tile<129x3xf32>
  tile.return
}
