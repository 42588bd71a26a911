// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @rank(%x: memref<4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<4xcomplex<f32>> -> !tile.tile<complex<f32>>
  // expected-error@+1 {{expected a tile of at least one dimension and elements of complex<f32> or complex<f64>, got '!tile.tile<complex<f32>>'}}
  %y = tile.fft %a : !tile.tile<complex<f32>>
  tile.return
}

// -----

tile.kernel @element(%x: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32>
  // expected-error@+1 {{expected a tile of at least one dimension and elements of complex<f32> or complex<f64>, got '!tile.tile<4x8xf32>'}}
  %y = tile.ifft %a : !tile.tile<4x8xf32>
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

tile.kernel @most_of_f64(%x: memref<16384xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<16384xcomplex<f64>> -> !tile.tile<16384xcomplex<f64>>
  // expected-error@+1 {{expected at most 8192 elements along the last axis, got 16384; longer}}
  %y = tile.ifft %a : !tile.tile<16384xcomplex<f64>>
  tile.return
}

// -----

// The least prime number above 8192.
tile.kernel @most_of_prime(%x: memref<8209xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<8209xcomplex<f32>> -> !tile.tile<8209xcomplex<f32>>
  // expected-error@+1 {{expected at most 8192 elements along the last axis where a prime factor of their number is above 13, got 8209; longer}}
  %y = tile.fft %a : !tile.tile<8209xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @most_of_prime_f64(%x: memref<4099xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<4099xcomplex<f64>> -> !tile.tile<4099xcomplex<f64>>
  // expected-error@+1 {{expected at most 4096 elements along the last axis where a prime factor of their number is above 13, got 4099; longer}}
  %y = tile.fft %a : !tile.tile<4099xcomplex<f64>>
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

// Their product is 2^64, and zero in 64 bits.
tile.kernel @plan_overflow(%x: memref<64xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<64xcomplex<f32>> -> !tile.tile<64xcomplex<f32>>
  // expected-error@+1 {{expected radices that multiply to 64 (the last extent), got [16, 16,}}
  %y = tile.ifft %a plan <radices = [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16]> : !tile.tile<64xcomplex<f32>>
  tile.return
}

// -----

// A convolution has no plan.
tile.kernel @plan_of_prime(%x: memref<17xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<17xcomplex<f32>> -> !tile.tile<17xcomplex<f32>>
  // expected-error@+1 {{expected radices that multiply to 17 (the last extent), got [8, 8]}}
  %y = tile.fft %a plan <radices = [8, 8]> : !tile.tile<17xcomplex<f32>>
  tile.return
}

// -----

// expected-error@+1 {{expected radices from 2 to 16, got [32, 2]}}
#radix = #tile.fft_plan<radices = [32, 2]>

// -----

// expected-error@+1 {{expected radices from 2 to 16, got [64, 1]}}
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

// -----

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

// An odd number, 3^9, is not halved.
tile.kernel @rfft_most_odd(%x: memref<19683xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<19683xf32> -> !tile.tile<19683xf32>
  // expected-error@+1 {{expected at most 16384 elements along the last axis, got 19683; longer}}
  %y = tile.rfft %a : !tile.tile<19683xf32> to !tile.tile<9842xcomplex<f32>>
  tile.return
}

// -----

// Twice a prime number.
tile.kernel @rfft_most_of_prime(%x: memref<16418xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<16418xf32> -> !tile.tile<16418xf32>
  // expected-error@+1 {{expected at most 16384 elements along the last axis where a prime factor of their number is above 13, got 16418; longer}}
  %y = tile.rfft %a : !tile.tile<16418xf32> to !tile.tile<8210xcomplex<f32>>
  tile.return
}

// -----

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

// -----

tile.kernel @pass_rank(%x: memref<8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f32>> -> !tile.tile<8x8xcomplex<f32>>
  // expected-error@+1 {{expected a tile of complex elements and three dimensions, the second one from 2 to 16, got '!tile.tile<8x8xcomplex<f32>>'}}
  %y = tile.partial_fft %a places 1 threads 8 : !tile.tile<8x8xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @pass_element(%x: memref<1x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x8x8xf32> -> !tile.tile<1x8x8xf32>
  // expected-error@+1 {{expected a tile of complex elements and three dimensions, the second one from 2 to 16, got '!tile.tile<1x8x8xf32>'}}
  %y = tile.partial_fft %a places 1 threads 8 : !tile.tile<1x8x8xf32>
  tile.return
}

// -----

tile.kernel @pass_radix(%x: memref<1x17x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x17x8xcomplex<f32>> -> !tile.tile<1x17x8xcomplex<f32>>
  // expected-error@+1 {{expected a tile of complex elements and three dimensions, the second one from 2 to 16, got '!tile.tile<1x17x8xcomplex<f32>>'}}
  %y = tile.partial_fft %a places 1 threads 8 : !tile.tile<1x17x8xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @pass_threads(%x: memref<1x8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x8x8xcomplex<f32>> -> !tile.tile<1x8x8xcomplex<f32>>
  // expected-error@+1 {{expected a power of two of threads, at most 1024, got 12}}
  %y = tile.partial_fft %a places 1 threads 12 : !tile.tile<1x8x8xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @pass_places(%x: memref<1x8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x8x8xcomplex<f32>> -> !tile.tile<1x8x8xcomplex<f32>>
  // expected-error@+1 {{expected a number of places that divides 8, got 3}}
  %y = tile.partial_fft %a places 3 threads 8 : !tile.tile<1x8x8xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @pass_scale(%x: memref<1x8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x8x8xcomplex<f32>> -> !tile.tile<1x8x8xcomplex<f32>>
  // expected-error@+1 {{expected a scale of two numbers, got 1}}
  %y = tile.partial_fft %a places 1 threads 8 scale [0.5] : !tile.tile<1x8x8xcomplex<f32>>
  tile.return
}

// -----

// The columns of the next pass do not hold those of this one.
tile.kernel @order_columns(%x: memref<1x6x4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x6x4xcomplex<f32>> -> !tile.tile<1x6x4xcomplex<f32>, #tile.register>
  // expected-error@+1 {{expected columns of 1 places, and as many elements in columns of the next pass, got '!tile.tile<1x6x4xcomplex<f32>, #tile.register>' and '!tile.tile<1x3x8xcomplex<f32>, #tile.shared>'}}
  %y = tile.order_fft %a places 1 : !tile.tile<1x6x4xcomplex<f32>, #tile.register> to !tile.tile<1x3x8xcomplex<f32>, #tile.shared>
  tile.return
}

// -----

tile.kernel @order_storage(%x: memref<1x6x4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x6x4xcomplex<f32>> -> !tile.tile<1x6x4xcomplex<f32>, #tile.register>
  // expected-error@+1 {{expected a source in registers and a result in shared memory, got '!tile.tile<1x6x4xcomplex<f32>, #tile.register>' and '!tile.tile<1x4x6xcomplex<f32>, #tile.register>'}}
  %y = tile.order_fft %a places 1 : !tile.tile<1x6x4xcomplex<f32>, #tile.register> to !tile.tile<1x4x6xcomplex<f32>, #tile.register>
  tile.return
}
