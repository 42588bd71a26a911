// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @element(%x: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32>
  // expected-error@+1 {{expected a tile of at least one dimension and elements of complex<f32> or complex<f64>, got '!tile.tile<4x8xf32>'}}
  %y = tile.ifft %a : !tile.tile<4x8xf32>
  tile.return
}

// -----

tile.kernel @most_of_f64(%x: memref<16384xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<16384xcomplex<f64>> -> !tile.tile<16384xcomplex<f64>>
  // expected-error@+1 {{expected at most 8192 elements along the last axis, got 16384; longer}}
  %y = tile.ifft %a : !tile.tile<16384xcomplex<f64>>
  tile.return
}

// -----

// The radices multiply to 2^64, which is zero in 64 bits.
tile.kernel @plan_overflow(%x: memref<64xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<64xcomplex<f32>> -> !tile.tile<64xcomplex<f32>>
  // expected-error@+1 {{expected radices that multiply to 64 (the last extent), got [16, 16,}}
  %y = tile.ifft %a plan <radices = [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16]> : !tile.tile<64xcomplex<f32>>
  tile.return
}
