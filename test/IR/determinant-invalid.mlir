// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %f = tile.determinant %a : !tile.tile<18x17xf32> to !tile.tile<f32>
  tile.return
}

// -----

tile.kernel @result(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{expected a result of shape [4] (a number for each matrix) and elements of 'f32', got '!tile.tile<4xf64>'}}
  %f = tile.determinant %a : !tile.tile<4x8x8xf32> to !tile.tile<4xf64>
  tile.return
}

// -----

tile.kernel @real(%x: memref<4x8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xcomplex<f32>> -> !tile.tile<4x8x8xcomplex<f32>>
  // expected-error@+1 {{expected a result of shape [4] (a number for each matrix) and elements of 'complex<f32>', got '!tile.tile<4xf32>'}}
  %f = tile.determinant %a : !tile.tile<4x8x8xcomplex<f32>> to !tile.tile<4xf32>
  tile.return
}

// -----

tile.kernel @most(%x: memref<97x97xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<97x97xcomplex<f32>> -> !tile.tile<97x97xcomplex<f32>>
  // expected-error@+1 {{expected at most 96 rows of 'complex<f32>', got 97}}
  %f = tile.determinant %a : !tile.tile<97x97xcomplex<f32>> to !tile.tile<complex<f32>>
  tile.return
}
