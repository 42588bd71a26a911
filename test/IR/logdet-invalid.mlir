// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %f, %g = tile.logdet %a : !tile.tile<18x17xf32> to !tile.tile<f32>
  tile.return
}

// -----

tile.kernel @result(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{expected a result of shape [4] (a number for each matrix) and elements of 'f32', got '!tile.tile<4xf64>'}}
  %f, %g = tile.logdet %a : !tile.tile<4x8x8xf32> to !tile.tile<4xf64>
  tile.return
}

// -----

tile.kernel @real_sign(%x: memref<8x8xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f64>> -> !tile.tile<8x8xcomplex<f64>>
  // expected-error@+1 {{expected a result of shape [] (a number for each matrix) and elements of 'complex<f64>', got '!tile.tile<f64>'}}
  %f, %g = tile.logdet %a : !tile.tile<8x8xcomplex<f64>> to !tile.tile<f64>
  tile.return
}

// -----

tile.kernel @complex_logarithm(%x: memref<8x8xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f64>> -> !tile.tile<8x8xcomplex<f64>>
  // expected-error@+1 {{failed to verify that the logarithm is real and has the sign's extents}}
  %f:2 = "tile.logdet"(%a) : (!tile.tile<8x8xcomplex<f64>>) -> (!tile.tile<complex<f64>>, !tile.tile<complex<f64>>)
  tile.return
}

// -----

tile.kernel @no_tile(%x: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  // expected-error@+1 {{'sign' must be tile, but got 'f32'}}
  %f, %g = tile.logdet %a : !tile.tile<8x8xf32> to f32
  tile.return
}
