// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @wide(%x: memref<7x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<7x8xf32> -> !tile.tile<7x8xf32>
  // expected-error@+1 {{expected matrices of no more columns than rows in the last two dimensions, got '!tile.tile<7x8xf32>'}}
  %f, %s = tile.householder %x0 : !tile.tile<7x8xf32>, !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @rank(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error@+1 {{expected matrices of no more columns than rows in the last two dimensions, got '!tile.tile<8xf32>'}}
  %f, %s = tile.householder %x0 : !tile.tile<8xf32>, !tile.tile<f32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<8x8xf16>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'f16'}}
  %f, %s = tile.householder %x0 : !tile.tile<8x8xf16>, !tile.tile<8xf16>
  tile.return
}

// -----

tile.kernel @most(%x: memref<129x64xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<129x64xf32> -> !tile.tile<129x64xf32>
  // expected-error@+1 {{expected matrices of at most 128 rows of 'f32', or of which a lane has at most 128 elements, got 129x64}}
  %f, %s = tile.householder %x0 : !tile.tile<129x64xf32>, !tile.tile<64xf32>
  tile.return
}

// -----

tile.kernel @scales(%x: memref<3x9x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0, %c0] : memref<3x9x8xf32> -> !tile.tile<3x9x8xf32>
  // expected-error@+1 {{expected scales of shape [3, 8] (a number for each column) and elements of 'f32', got '!tile.tile<3x9xf32>'}}
  %f, %s = tile.householder %x0 : !tile.tile<3x9x8xf32>, !tile.tile<3x9xf32>
  tile.return
}
