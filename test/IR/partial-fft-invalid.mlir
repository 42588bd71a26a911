// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @pass_rank(%x: memref<8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f32>> -> !tile.tile<8x8xcomplex<f32>>
  // expected-error@+1 {{expected a tile of complex elements and three dimensions, the second one from 2 to 16 or a prime number up to 31, got '!tile.tile<8x8xcomplex<f32>>'}}
  %y = tile.partial_fft %a places 1 threads 8 : !tile.tile<8x8xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @pass_element(%x: memref<1x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x8x8xf32> -> !tile.tile<1x8x8xf32>
  // expected-error@+1 {{expected a tile of complex elements and three dimensions, the second one from 2 to 16 or a prime number up to 31, got '!tile.tile<1x8x8xf32>'}}
  %y = tile.partial_fft %a places 1 threads 8 : !tile.tile<1x8x8xf32>
  tile.return
}

// -----

tile.kernel @pass_radix(%x: memref<1x18x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<1x18x8xcomplex<f32>> -> !tile.tile<1x18x8xcomplex<f32>>
  // expected-error@+1 {{expected a tile of complex elements and three dimensions, the second one from 2 to 16 or a prime number up to 31, got '!tile.tile<1x18x8xcomplex<f32>>'}}
  %y = tile.partial_fft %a places 1 threads 8 : !tile.tile<1x18x8xcomplex<f32>>
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
