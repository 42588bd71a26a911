// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @irfft_rank(%x: memref<4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<4xcomplex<f32>> -> !tile.tile<complex<f32>>
  // expected-error@+1 {{expected a result of at least one dimension and elements of f32 or f64, got '!tile.tile<f32>'}}
  %y = tile.irfft %a : !tile.tile<complex<f32>> to !tile.tile<f32>
  tile.return
}

// -----

tile.kernel @irfft_result(%x: memref<5xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<5xcomplex<f32>> -> !tile.tile<5xcomplex<f32>>
  // expected-error@+1 {{expected a result of at least one dimension and elements of f32 or f64, got '!tile.tile<8xcomplex<f32>>'}}
  %y = tile.irfft %a : !tile.tile<5xcomplex<f32>> to !tile.tile<8xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @irfft_source(%x: memref<5xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<5xf32> -> !tile.tile<5xf32>
  // expected-error@+1 {{expected a source of at least one dimension and elements of complex<f32> or complex<f64>, got '!tile.tile<5xf32>'}}
  %y = tile.irfft %a : !tile.tile<5xf32> to !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @irfft_extent(%x: memref<4x5xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<4x5xcomplex<f32>> -> !tile.tile<4x5xcomplex<f32>>
  // expected-error@+1 {{expected a source of type '!tile.tile<4x6xcomplex<f32>>' for a result of type '!tile.tile<4x10xf32>', got '!tile.tile<4x5xcomplex<f32>>'}}
  %y = tile.irfft %a : !tile.tile<4x5xcomplex<f32>> to !tile.tile<4x10xf32>
  tile.return
}

// -----

tile.kernel @irfft_most(%x: memref<16385xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<16385xcomplex<f64>> -> !tile.tile<16385xcomplex<f64>>
  // expected-error@+1 {{expected at most 16384 elements along the last axis, got 32768; longer}}
  %y = tile.irfft %a : !tile.tile<16385xcomplex<f64>> to !tile.tile<32768xf64>
  tile.return
}
