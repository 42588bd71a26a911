// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @both(%f: memref<9x4xf32>, %s: memref<4xf32>, %b: memref<9x2xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = tile.load %f[%c0, %c0] : memref<9x4xf32> -> !tile.tile<9x4xf32>
  %s0 = tile.load %s[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %b0 = tile.load %b[%c0, %c0] : memref<9x2xf32> -> !tile.tile<9x2xf32>
  // expected-error@+1 {{expected 'triangular' without 'transposed'}}
  %r = tile.apply_householder %f0, %s0, %b0 transposed triangular : !tile.tile<9x4xf32>, !tile.tile<4xf32>, !tile.tile<9x2xf32>
  tile.return
}

// -----

tile.kernel @wide(%f: memref<4x9xf32>, %s: memref<9xf32>, %b: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = tile.load %f[%c0, %c0] : memref<4x9xf32> -> !tile.tile<4x9xf32>
  %s0 = tile.load %s[%c0] : memref<9xf32> -> !tile.tile<9xf32>
  %b0 = tile.load %b[%c0, %c0] : memref<4x2xf32> -> !tile.tile<4x2xf32>
  // expected-error@+1 {{expected matrices of no more columns than rows in the last two dimensions, got '!tile.tile<4x9xf32>'}}
  %r = tile.apply_householder %f0, %s0, %b0 : !tile.tile<4x9xf32>, !tile.tile<9xf32>, !tile.tile<4x2xf32>
  tile.return
}

// -----

tile.kernel @scales(%f: memref<9x4xf32>, %s: memref<9xf32>, %b: memref<9x2xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = tile.load %f[%c0, %c0] : memref<9x4xf32> -> !tile.tile<9x4xf32>
  %s0 = tile.load %s[%c0] : memref<9xf32> -> !tile.tile<9xf32>
  %b0 = tile.load %b[%c0, %c0] : memref<9x2xf32> -> !tile.tile<9x2xf32>
  // expected-error@+1 {{expected scales of shape [4] (a number for each column) and elements of 'f32', got '!tile.tile<9xf32>'}}
  %r = tile.apply_householder %f0, %s0, %b0 : !tile.tile<9x4xf32>, !tile.tile<9xf32>, !tile.tile<9x2xf32>
  tile.return
}

// -----

tile.kernel @rows(%f: memref<9x4xf32>, %s: memref<4xf32>, %b: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = tile.load %f[%c0, %c0] : memref<9x4xf32> -> !tile.tile<9x4xf32>
  %s0 = tile.load %s[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %b0 = tile.load %b[%c0, %c0] : memref<4x2xf32> -> !tile.tile<4x2xf32>
  // expected-error@+1 {{expected matrices of 9 rows (the reflections'), got '!tile.tile<4x2xf32>'}}
  %r = tile.apply_householder %f0, %s0, %b0 : !tile.tile<9x4xf32>, !tile.tile<4xf32>, !tile.tile<4x2xf32>
  tile.return
}

// -----

tile.kernel @element(%f: memref<9x4xf32>, %s: memref<4xf32>, %b: memref<9x2xf64>) {
  %c0 = arith.constant 0 : index
  %f0 = tile.load %f[%c0, %c0] : memref<9x4xf32> -> !tile.tile<9x4xf32>
  %s0 = tile.load %s[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %b0 = tile.load %b[%c0, %c0] : memref<9x2xf64> -> !tile.tile<9x2xf64>
  // expected-error@+1 {{expected right-hand sides of 'f32' (the reflections' elements), got '!tile.tile<9x2xf64>'}}
  %r = tile.apply_householder %f0, %s0, %b0 : !tile.tile<9x4xf32>, !tile.tile<4xf32>, !tile.tile<9x2xf64>
  tile.return
}
