// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %f = tile.ldlt %a : !tile.tile<18x17xf32>
  tile.return
}

// -----

tile.kernel @most(%x: memref<97x97xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<97x97xf64> -> !tile.tile<97x97xf64>
  // expected-error@+1 {{expected at most 96 rows of 'f64', got 97}}
  %f = tile.ldlt %a : !tile.tile<97x97xf64>
  tile.return
}

// -----

tile.kernel @status(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{expected a status of shape [4] (a number for each matrix) and elements of 'i32', got '!tile.tile<4xi64>'}}
  %f, %s = tile.ldlt %a : !tile.tile<4x8x8xf32> status !tile.tile<4xi64>
  tile.return
}
