// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @rfft_rank(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<4xf32> -> !tile.tile<f32>
  // expected-error@+1 {{expected a source of at least one dimension and elements of f32 or f64, got '!tile.tile<f32>'}}
  %y = tile.rfft %a : !tile.tile<f32> to !tile.tile<complex<f32>>
  tile.return
}

// -----

tile.kernel @rfft_source(%x: memref<8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<8xcomplex<f32>> -> !tile.tile<8xcomplex<f32>>
  // expected-error@+1 {{expected a source of at least one dimension and elements of f32 or f64, got '!tile.tile<8xcomplex<f32>>'}}
  %y = tile.rfft %a : !tile.tile<8xcomplex<f32>> to !tile.tile<5xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @rfft_f16(%x: memref<8xf16>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<8xf16> -> !tile.tile<8xf16>
  // expected-error@+1 {{expected a source of at least one dimension and elements of f32 or f64, got '!tile.tile<8xf16>'}}
  %y = tile.rfft %a : !tile.tile<8xf16> to !tile.tile<5xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @rfft_result(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error@+1 {{expected a result of at least one dimension and elements of complex<f32> or complex<f64>, got '!tile.tile<5xf32>'}}
  %y = tile.rfft %a : !tile.tile<8xf32> to !tile.tile<5xf32>
  tile.return
}

// -----

tile.kernel @rfft_extent(%x: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32>
  // expected-error@+1 {{expected a result of type '!tile.tile<4x5xcomplex<f32>>' for a source of type '!tile.tile<4x8xf32>', got '!tile.tile<4x4xcomplex<f32>>'}}
  %y = tile.rfft %a : !tile.tile<4x8xf32> to !tile.tile<4x4xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @rfft_part(%x: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32>
  // expected-error@+1 {{expected a result of type '!tile.tile<4x5xcomplex<f32>>' for a source of type '!tile.tile<4x8xf32>', got '!tile.tile<4x5xcomplex<f64>>'}}
  %y = tile.rfft %a : !tile.tile<4x8xf32> to !tile.tile<4x5xcomplex<f64>>
  tile.return
}

// -----

tile.kernel @rfft_batch(%x: memref<4x9xf64>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<4x9xf64> -> !tile.tile<4x9xf64>
  // expected-error@+1 {{expected a result of type '!tile.tile<4x5xcomplex<f64>>' for a source of type '!tile.tile<4x9xf64>', got '!tile.tile<2x2x5xcomplex<f64>>'}}
  %y = tile.rfft %a : !tile.tile<4x9xf64> to !tile.tile<2x2x5xcomplex<f64>>
  tile.return
}

// -----

tile.kernel @rfft_most(%x: memref<65536xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<65536xf32> -> !tile.tile<65536xf32>
  // expected-error@+1 {{expected at most 32768 elements along the last axis, got 65536; longer}}
  %y = tile.rfft %a : !tile.tile<65536xf32> to !tile.tile<32769xcomplex<f32>>
  tile.return
}

// -----

// The odd length 3^9 is not halved.
tile.kernel @rfft_most_odd(%x: memref<19683xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<19683xf32> -> !tile.tile<19683xf32>
  // expected-error@+1 {{expected at most 16384 elements along the last axis, got 19683; longer}}
  %y = tile.rfft %a : !tile.tile<19683xf32> to !tile.tile<9842xcomplex<f32>>
  tile.return
}

// -----

// The length is twice a prime.
tile.kernel @rfft_most_of_prime(%x: memref<16438xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<16438xf32> -> !tile.tile<16438xf32>
  // expected-error@+1 {{expected at most 16384 elements along the last axis where a factor of their number, 8219, takes a convolution with a chirp, got 16438; longer}}
  %y = tile.rfft %a : !tile.tile<16438xf32> to !tile.tile<8220xcomplex<f32>>
  tile.return
}
