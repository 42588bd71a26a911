// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %f = tile.inverse %a : !tile.tile<18x17xf32>
  tile.return
}

// -----

tile.kernel @status(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{expected a status of shape [4] (a number for each matrix) and elements of 'i32', got '!tile.tile<8xi32>'}}
  %f, %s = tile.inverse %a : !tile.tile<4x8x8xf32> status !tile.tile<8xi32>
  tile.return
}

// -----

tile.kernel @most_of_complex_f64(%x: memref<65x65xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<65x65xcomplex<f64>> -> !tile.tile<65x65xcomplex<f64>>
  // expected-error@+1 {{expected at most 64 rows of 'complex<f64>', got 65}}
  %f = tile.inverse %a : !tile.tile<65x65xcomplex<f64>>
  tile.return
}

// -----

tile.kernel @integers(%x: memref<8x8xi64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xi64> -> !tile.tile<8x8xi64>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'i64'}}
  %f = tile.inverse %a : !tile.tile<8x8xi64>
  tile.return
}
