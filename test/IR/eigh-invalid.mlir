// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @square(%x: memref<8x7xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xf32> -> !tile.tile<8x7xf32>
  // expected-error@+1 {{expected square matrices in the last two dimensions, got '!tile.tile<8x7xf32>'}}
  %w, %v = tile.eigh %x0 : !tile.tile<8x7xf32> to !tile.tile<7xf32>, !tile.tile<8x7xf32>
  tile.return
}

// -----

tile.kernel @most(%x: memref<65x65xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<65x65xf32> -> !tile.tile<65x65xf32>
  // expected-error@+1 {{expected at most 64 rows of 'f32', got 65}}
  %w, %v = tile.eigh %x0 : !tile.tile<65x65xf32> to !tile.tile<65xf32>, !tile.tile<65x65xf32>
  tile.return
}

// -----

tile.kernel @integers(%x: memref<8x8xi32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x8xi32> -> !tile.tile<8x8xi32>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'i32'}}
  %w, %v = tile.eigh %x0 : !tile.tile<8x8xi32> to !tile.tile<8xi32>, !tile.tile<8x8xi32>
  tile.return
}

// -----

tile.kernel @values(%x: memref<3x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  // expected-error@+1 {{expected values of type '!tile.tile<3x8xf32>', got '!tile.tile<8xf32>'}}
  %w, %v = tile.eigh %x0 : !tile.tile<3x8x8xf32> to !tile.tile<8xf32>, !tile.tile<3x8x8xf32>
  tile.return
}

// -----

tile.kernel @vectors(%x: memref<3x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  // expected-error@+1 {{expected vectors of type '!tile.tile<3x8x8xf32>', got '!tile.tile<8x8xf32>'}}
  %w, %v = tile.eigh %x0 : !tile.tile<3x8x8xf32> to !tile.tile<3x8xf32>, !tile.tile<8x8xf32>
  tile.return
}

// -----

tile.kernel @status(%x: memref<3x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0, %c0] : memref<3x8x8xf32> -> !tile.tile<3x8x8xf32>
  // expected-error@+1 {{expected a status of shape [3] (a number for each matrix) and elements of 'i32', got '!tile.tile<3x8xi32>'}}
  %w, %v, %s = tile.eigh %x0 : !tile.tile<3x8x8xf32> to !tile.tile<3x8xf32>, !tile.tile<3x8x8xf32> status !tile.tile<3x8xi32>
  tile.return
}

// -----

tile.kernel @most_complex(%x: memref<45x45xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<45x45xcomplex<f32>> -> !tile.tile<45x45xcomplex<f32>>
  // expected-error@+1 {{expected at most 44 rows of 'complex<f32>', got 45}}
  %w, %v = tile.eigh %x0 : !tile.tile<45x45xcomplex<f32>> to !tile.tile<45xf32>, !tile.tile<45x45xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @complex_values(%x: memref<8x8xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f64>> -> !tile.tile<8x8xcomplex<f64>>
  // expected-error@+1 {{expected values of type '!tile.tile<8xf64>', got '!tile.tile<8xcomplex<f64>>'}}
  %w, %v = tile.eigh %x0 : !tile.tile<8x8xcomplex<f64>> to !tile.tile<8xcomplex<f64>>, !tile.tile<8x8xcomplex<f64>>
  tile.return
}

// -----

tile.kernel @real_vectors(%x: memref<8x8xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f64>> -> !tile.tile<8x8xcomplex<f64>>
  // expected-error@+1 {{expected vectors of type '!tile.tile<8x8xcomplex<f64>>', got '!tile.tile<8x8xf64>'}}
  %w, %v = tile.eigh %x0 : !tile.tile<8x8xcomplex<f64>> to !tile.tile<8xf64>, !tile.tile<8x8xf64>
  tile.return
}
