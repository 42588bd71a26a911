// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @wide(%x: memref<7x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<7x8xf32> -> !tile.tile<7x8xf32>
  // expected-error@+1 {{expected matrices of no more columns than rows in the last two dimensions, got '!tile.tile<7x8xf32>'}}
  %u, %s, %vt = tile.svd %x0 : !tile.tile<7x8xf32> to !tile.tile<7x8xf32>, !tile.tile<8xf32>, !tile.tile<8x8xf32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<8x8xf16>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'f16'}}
  %u, %s, %vt = tile.svd %x0 : !tile.tile<8x8xf16> to !tile.tile<8x8xf16>, !tile.tile<8xf16>, !tile.tile<8x8xf16>
  tile.return
}

// -----

tile.kernel @u(%x: memref<8x7xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xf32> -> !tile.tile<8x7xf32>
  // expected-error@+1 {{expected a U of type '!tile.tile<8x7xf32>', got '!tile.tile<8x8xf32>'}}
  %u, %s, %vt = tile.svd %x0 : !tile.tile<8x7xf32> to !tile.tile<8x8xf32>, !tile.tile<7xf32>, !tile.tile<7x7xf32>
  tile.return
}

// -----

tile.kernel @values(%x: memref<8x7xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xf32> -> !tile.tile<8x7xf32>
  // expected-error@+1 {{expected values of type '!tile.tile<7xf32>', got '!tile.tile<8xf32>'}}
  %u, %s, %vt = tile.svd %x0 : !tile.tile<8x7xf32> to !tile.tile<8x7xf32>, !tile.tile<8xf32>, !tile.tile<7x7xf32>
  tile.return
}

// -----

tile.kernel @vt(%x: memref<8x7xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xf32> -> !tile.tile<8x7xf32>
  // expected-error@+1 {{expected a V' of type '!tile.tile<7x7xf32>', got '!tile.tile<8x7xf32>'}}
  %u, %s, %vt = tile.svd %x0 : !tile.tile<8x7xf32> to !tile.tile<8x7xf32>, !tile.tile<7xf32>, !tile.tile<8x7xf32>
  tile.return
}

// -----

tile.kernel @status(%x: memref<3x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  // expected-error@+1 {{expected a status of shape [3] (a number for each matrix) and elements of 'i32', got '!tile.tile<3xi64>'}}
  %u, %s, %vt, %i = tile.svd %x0 : !tile.tile<3x8x8xf32> to !tile.tile<3x8x8xf32>, !tile.tile<3x8xf32>, !tile.tile<3x8x8xf32> status !tile.tile<3xi64>
  tile.return
}

// -----

tile.kernel @most_columns(%x: memref<40x33xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<40x33xcomplex<f64>> -> !tile.tile<40x33xcomplex<f64>>
  // expected-error@+1 {{expected at most 32 columns of 'complex<f64>', got 33}}
  %u, %s, %vt = tile.svd %x0 : !tile.tile<40x33xcomplex<f64>> to !tile.tile<40x33xcomplex<f64>>, !tile.tile<33xf64>, !tile.tile<33x33xcomplex<f64>>
  tile.return
}

// -----

tile.kernel @complex_values(%x: memref<8x7xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xcomplex<f32>> -> !tile.tile<8x7xcomplex<f32>>
  // expected-error@+1 {{expected values of type '!tile.tile<7xf32>', got '!tile.tile<7xcomplex<f32>>'}}
  %u, %s, %vt = tile.svd %x0 : !tile.tile<8x7xcomplex<f32>> to !tile.tile<8x7xcomplex<f32>>, !tile.tile<7xcomplex<f32>>, !tile.tile<7x7xcomplex<f32>>
  tile.return
}
