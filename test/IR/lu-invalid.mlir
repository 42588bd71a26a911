// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<18x17xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<18x17xf32> -> !tile.tile<18x17xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<18x17xf32>'}}
  %f, %p = tile.lu %a : !tile.tile<18x17xf32>, !tile.tile<18xi32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<8x8xf16>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'f16'}}
  %f, %p = tile.lu %a : !tile.tile<8x8xf16>, !tile.tile<8xi32>
  tile.return
}

// -----

tile.kernel @most(%x: memref<129x129xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<129x129xf32> -> !tile.tile<129x129xf32>
  // expected-error@+1 {{expected at most 128 rows of 'f32', got 129}}
  %f, %p = tile.lu %a : !tile.tile<129x129xf32>, !tile.tile<129xi32>
  tile.return
}

// -----

tile.kernel @most_of_complex_f32(%x: memref<97x97xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<97x97xcomplex<f32>> -> !tile.tile<97x97xcomplex<f32>>
  // expected-error@+1 {{expected at most 96 rows of 'complex<f32>', got 97}}
  %f, %p = tile.lu %a : !tile.tile<97x97xcomplex<f32>>, !tile.tile<97xi32>
  tile.return
}

// -----

tile.kernel @integers(%x: memref<8x8xi32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xi32> -> !tile.tile<8x8xi32>
  // expected-error@+1 {{or complex ones of them, got 'i32'}}
  %f, %p = tile.lu %a : !tile.tile<8x8xi32>, !tile.tile<8xi32>
  tile.return
}

// -----

tile.kernel @permutation(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{expected a permutation of shape [4, 8] (a number for each row) and elements of i32, got '!tile.tile<4xi32>'}}
  %f, %p = tile.lu %a : !tile.tile<4x8x8xf32>, !tile.tile<4xi32>
  tile.return
}

// -----

tile.kernel @permutation_element(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{got '!tile.tile<4x8xi64>'}}
  %f, %p = tile.lu %a : !tile.tile<4x8x8xf32>, !tile.tile<4x8xi64>
  tile.return
}

// -----

tile.kernel @status(%x: memref<4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<4x8x8xf32> -> !tile.tile<4x8x8xf32>
  // expected-error@+1 {{expected a status of shape [4] (a number for each matrix) and elements of 'i32', got '!tile.tile<4x1xi32>'}}
  %f, %p, %s = tile.lu %a : !tile.tile<4x8x8xf32>, !tile.tile<4x8xi32> status !tile.tile<4x1xi32>
  tile.return
}
