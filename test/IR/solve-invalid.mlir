// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>, %y: memref<18x1xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  %b = tile.load %y[%c0, %c0] : memref<18x1xf32> -> !tile.tile<18x1xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %r = tile.solve %a, %b : !tile.tile<18x17xf32>, !tile.tile<18x1xf32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<8x8xf32>, %y: memref<8x1xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %b = tile.load %y[%c0, %c0] : memref<8x1xf64> -> !tile.tile<8x1xf64>
  // expected-error@+1 {{expected right-hand sides of 'f32' (the matrix's elements), got '!tile.tile<8x1xf64>'}}
  %r = tile.solve %a, %b : !tile.tile<8x8xf32>, !tile.tile<8x1xf64>
  tile.return
}

// -----

tile.kernel @batch(%x: memref<3x8x8xf32>, %y: memref<8x1xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  %b = tile.load %y[%c0, %c0] : memref<8x1xf32> -> !tile.tile<8x1xf32>
  // expected-error@+1 {{expected right-hand sides of 3 dimensions, [3] before the last two (the matrix's), got '!tile.tile<8x1xf32>'}}
  %r = tile.solve %a, %b : !tile.tile<3x8x8xf32>, !tile.tile<8x1xf32>
  tile.return
}

// -----

tile.kernel @rows(%x: memref<8x8xf32>, %y: memref<9x1xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %b = tile.load %y[%c0, %c0] : memref<9x1xf32> -> !tile.tile<9x1xf32>
  // expected-error@+1 {{expected matrices of 8 rows (the matrix's), got '!tile.tile<9x1xf32>'}}
  %r = tile.solve %a, %b spd : !tile.tile<8x8xf32>, !tile.tile<9x1xf32>
  tile.return
}

// -----

tile.kernel @status(%x: memref<8x8xf32>, %y: memref<8x1xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %b = tile.load %y[%c0, %c0] : memref<8x1xf32> -> !tile.tile<8x1xf32>
  // expected-error@+1 {{expected a status of shape [] (a number for each matrix) and elements of 'i32', got '!tile.tile<1xi32>'}}
  %r, %s = tile.solve %a, %b : !tile.tile<8x8xf32>, !tile.tile<8x1xf32> status !tile.tile<1xi32>
  tile.return
}

// -----

tile.kernel @most(%x: memref<97x97xf64>, %y: memref<97x3xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<97x97xf64> -> !tile.tile<97x97xf64>
  %b = tile.load %y[%c0, %c0] : memref<97x3xf64> -> !tile.tile<97x3xf64>
  // expected-error@+1 {{expected at most 96 rows of 'f64', got 97}}
  %r = tile.solve %a, %b : !tile.tile<97x97xf64>, !tile.tile<97x3xf64>
  tile.return
}

// -----

tile.kernel @element_of_complex(%x: memref<6x6xcomplex<f32>>, %y: memref<6x3xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<6x6xcomplex<f32>> -> !tile.tile<6x6xcomplex<f32>>
  %b = tile.load %y[%c0, %c0] : memref<6x3xf32> -> !tile.tile<6x3xf32>
  // expected-error@+1 {{expected right-hand sides of 'complex<f32>' (the matrix's elements), got '!tile.tile<6x3xf32>'}}
  %r = tile.solve %a, %b : !tile.tile<6x6xcomplex<f32>>, !tile.tile<6x3xf32>
  tile.return
}

// -----

tile.kernel @most_of_complex_f64(%x: memref<65x65xcomplex<f64>>, %y: memref<65x3xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<65x65xcomplex<f64>> -> !tile.tile<65x65xcomplex<f64>>
  %b = tile.load %y[%c0, %c0] : memref<65x3xcomplex<f64>> -> !tile.tile<65x3xcomplex<f64>>
  // expected-error@+1 {{expected at most 64 rows of 'complex<f64>', got 65}}
  %r = tile.solve %a, %b : !tile.tile<65x65xcomplex<f64>>, !tile.tile<65x3xcomplex<f64>>
  tile.return
}
