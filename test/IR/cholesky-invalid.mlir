// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @rank(%x: memref<18xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<18xf32> -> !tile.tile<18xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18xf32>'}}
  %l = tile.cholesky %a : !tile.tile<18xf32>
  tile.return
}

// -----

tile.kernel @square(%x: memref<18x17xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %l = tile.cholesky %a : !tile.tile<18x17xf32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<8x8xf16>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'f16'}}
  %l = tile.cholesky %a : !tile.tile<8x8xf16>
  tile.return
}

// -----

tile.kernel @most(%x: memref<129x129xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<129x129xf32> -> !tile.tile<129x129xf32>
  // expected-error@+1 {{expected at most 128 rows of 'f32', got 129; a larger matrix takes kernels of its blocks (examples/37_blocked_cholesky)}}
  %l = tile.cholesky %a : !tile.tile<129x129xf32>
  tile.return
}

// -----

tile.kernel @most_of_f64(%x: memref<97x97xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<97x97xf64> -> !tile.tile<97x97xf64>
  // expected-error@+1 {{expected at most 96 rows of 'f64', got 97; a larger matrix takes kernels of its blocks (examples/37_blocked_cholesky)}}
  %l = tile.cholesky %a : !tile.tile<97x97xf64>
  tile.return
}

// -----

tile.kernel @status(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{expected a status of shape [4] (a number for each matrix) and elements of 'i32', got '!tile.tile<4x1xi32>'}}
  %l, %s = tile.cholesky %a : !tile.tile<4x8x8xf32> status !tile.tile<4x1xi32>
  tile.return
}

// -----

tile.kernel @status_element(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{got '!tile.tile<4xi64>'}}
  %l, %s = tile.cholesky %a : !tile.tile<4x8x8xf32> status !tile.tile<4xi64>
  tile.return
}

// -----

tile.kernel @most_of_complex_f32(%x: memref<97x97xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<97x97xcomplex<f32>> -> !tile.tile<97x97xcomplex<f32>>
  // expected-error@+1 {{expected at most 96 rows of 'complex<f32>', got 97}}
  %l = tile.cholesky %a : !tile.tile<97x97xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @most_of_complex_f64(%x: memref<65x65xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<65x65xcomplex<f64>> -> !tile.tile<65x65xcomplex<f64>>
  // expected-error@+1 {{expected at most 64 rows of 'complex<f64>', got 65}}
  %l = tile.cholesky %a : !tile.tile<65x65xcomplex<f64>>
  tile.return
}
