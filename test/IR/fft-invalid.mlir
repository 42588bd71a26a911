// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @rank(%x: memref<4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<4xcomplex<f32>> -> !tile.tile<complex<f32>>
  // expected-error@+1 {{expected a tile of at least one dimension and elements of complex<f32> or complex<f64>, got '!tile.tile<complex<f32>>'}}
  %y = tile.fft %a : !tile.tile<complex<f32>>
  tile.return
}

// -----

tile.kernel @most(%x: memref<32768xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<32768xcomplex<f32>> -> !tile.tile<32768xcomplex<f32>>
  // expected-error@+1 {{expected at most 16384 elements along the last axis, got 32768; longer rows are transformed in two kernels (docs/FourierTransforms.md)}}
  %y = tile.fft %a : !tile.tile<32768xcomplex<f32>>
  tile.return
}

// -----

// 8219 is a prime above 8192. 8219 - 1 = 2 * 7 * 587 has the prime factor 587, and 587
// - 1 = 2 * 293 has the prime factor 293.
tile.kernel @most_of_prime(%x: memref<8219xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<8219xcomplex<f32>> -> !tile.tile<8219xcomplex<f32>>
  // expected-error@+1 {{expected at most 8192 elements along the last axis where a factor of their number, 8219, takes a convolution with a chirp, got 8219; longer}}
  %y = tile.fft %a : !tile.tile<8219xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @most_of_prime_f64(%x: memref<4127xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<4127xcomplex<f64>> -> !tile.tile<4127xcomplex<f64>>
  // expected-error@+1 {{expected at most 4096 elements along the last axis where a factor of their number, 4127, takes a convolution with a chirp, got 4127; longer}}
  %y = tile.fft %a : !tile.tile<4127xcomplex<f64>>
  tile.return
}

// -----

tile.kernel @plan(%x: memref<64xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<64xcomplex<f32>> -> !tile.tile<64xcomplex<f32>>
  // expected-error@+1 {{expected radices that multiply to 64 (the last extent), got [16, 8]}}
  %y = tile.fft %a plan <radices = [16, 8]> : !tile.tile<64xcomplex<f32>>
  tile.return
}

// -----

// A prime length has a plan of passes or of a convolution.
tile.kernel @plan_of_prime(%x: memref<17xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<17xcomplex<f32>> -> !tile.tile<17xcomplex<f32>>
  // expected-error@+1 {{expected radices that multiply to 17 (the last extent), or one less, since it is prime, got [8, 8]}}
  %y = tile.fft %a plan <radices = [8, 8]> : !tile.tile<17xcomplex<f32>>
  tile.return
}

// -----

// expected-error@+1 {{expected radices from 2 to 16, or prime ones up to 31, got [32, 2]}}
#radix = #tile.fft_plan<radices = [32, 2]>

// -----

// expected-error@+1 {{expected radices from 2 to 16, or prime ones up to 31, got [64, 1]}}
#one = #tile.fft_plan<radices = [64, 1]>

// -----

// expected-error@+1 {{expected a power of two of threads, at most 1024, got 48}}
#threads = #tile.fft_plan<radices = [8, 8], threads = 48>

// -----

// expected-error@+1 {{expected a power of two of threads, at most 1024, got 2048}}
#most = #tile.fft_plan<radices = [8, 8], threads = 2048>

// -----

// expected-error@+1 {{expected a power of two of threads, at most 1024, got -1}}
#negative = #tile.fft_plan<radices = [8, 8], threads = -1>
