// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<8x7xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xf32> -> !tile.tile<8x7xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<8x7xf32>'}}
  %q, %d = tile.one_sided_jacobi %x0 : !tile.tile<8x7xf32>, !tile.tile<7xf32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<8x8xbf16>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x8xbf16> -> !tile.tile<8x8xbf16>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'bf16'}}
  %q, %d = tile.one_sided_jacobi %x0 : !tile.tile<8x8xbf16>, !tile.tile<8xbf16>
  tile.return
}

// -----

tile.kernel @norms(%x: memref<3x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  // expected-error@+1 {{expected norms of type '!tile.tile<3x8xf32>', got '!tile.tile<3xf32>'}}
  %q, %d = tile.one_sided_jacobi %x0 : !tile.tile<3x8x8xf32>, !tile.tile<3xf32>
  tile.return
}

// -----

tile.kernel @status(%x: memref<3x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  // expected-error@+1 {{expected a status of shape [3] (a number for each matrix) and elements of 'i32', got '!tile.tile<3xf32>'}}
  %q, %d, %s = tile.one_sided_jacobi %x0 : !tile.tile<3x8x8xf32>, !tile.tile<3x8xf32> status !tile.tile<3xf32>
  tile.return
}

// -----

tile.kernel @complex_norms(%x: memref<8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f32>> -> !tile.tile<8x8xcomplex<f32>>
  // expected-error@+1 {{expected norms of type '!tile.tile<8xf32>', got '!tile.tile<8xcomplex<f32>>'}}
  %q, %d = tile.one_sided_jacobi %x0 : !tile.tile<8x8xcomplex<f32>>, !tile.tile<8xcomplex<f32>>
  tile.return
}
