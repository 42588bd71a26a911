// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @rank(%x: memref<8xf32>, %b: f32) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error@+1 {{expected matrices in the last two dimensions, got '!tile.tile<8xf32>'}}
  %r = tile.add_diagonal %a, %b : !tile.tile<8xf32>, f32
  tile.return
}

// -----

tile.kernel @element(%x: memref<8x8xi1>, %b: i1) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xi1> -> !tile.tile<8x8xi1>
  // expected-error@+1 {{expected elements of integers of 8 to 64 bits, floating-point numbers or complex numbers, got 'i1'}}
  %r = tile.add_diagonal %a, %b : !tile.tile<8x8xi1>, i1
  tile.return
}

// -----

tile.kernel @number(%x: memref<8x8xf32>, %b: f64) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  // expected-error@+1 {{expected a number of 'f32' (the matrices' elements), got 'f64'}}
  %r = tile.add_diagonal %a, %b : !tile.tile<8x8xf32>, f64
  tile.return
}

// -----

tile.kernel @shape(%x: memref<8x6xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x6xf32> -> !tile.tile<8x6xf32>
  %b = tile.load %y[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error@+1 {{expected a diagonal of shape [6] and elements of 'f32' (the matrices'), got '!tile.tile<8xf32>'}}
  %r = tile.add_diagonal %a, %b : !tile.tile<8x6xf32>, !tile.tile<8xf32>
  tile.return
}
