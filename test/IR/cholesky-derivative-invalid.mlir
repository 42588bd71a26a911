// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %r = tile.cholesky_derivative %a, %a : !tile.tile<18x17xf32>
  tile.return
}

// -----

tile.kernel @elements(%x: memref<8x8xf16>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'f16'}}
  %r = tile.cholesky_derivative %a, %a transposed : !tile.tile<8x8xf16>
  tile.return
}

// -----

tile.kernel @order(%x: memref<129x129xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<129x129xf32> -> !tile.tile<129x129xf32>
  // expected-error@+1 {{expected at most 128 rows of 'f32', got 129}}
  %r = tile.cholesky_derivative %a, %a : !tile.tile<129x129xf32>
  tile.return
}

// -----

tile.kernel @shapes(%x: memref<8x8xf32>, %y: memref<2x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  // expected-note@+1 {{prior use here}}
  %b = tile.load %y[%c0, %c0, %c0] : memref<2x8x8xf32> -> !tile.tile<2x8x8xf32>
  // expected-error@+1 {{use of value '%b' expects different type than prior uses}}
  %r = tile.cholesky_derivative %a, %b : !tile.tile<8x8xf32>
  tile.return
}
