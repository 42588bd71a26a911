// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @complex
tile.kernel @complex(%a: memref<4x1024xcomplex<f32>>, %b: memref<100xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<4x1024xcomplex<f32>> -> !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.fft %{{.*}} : !tile.tile<4x1024xcomplex<f32>>{{$}}
  %y0 = tile.fft %x : !tile.tile<4x1024xcomplex<f32>>
  // The factor of one, which is the default of fft.
  // CHECK: tile.fft %{{.*}} : !tile.tile<4x1024xcomplex<f32>>{{$}}
  %y1 = tile.fft %x norm none : !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.fft %{{.*}} norm by_n : !tile.tile<4x1024xcomplex<f32>>
  %y2 = tile.fft %x norm by_n : !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.fft %{{.*}} norm ortho : !tile.tile<4x1024xcomplex<f32>>
  %y3 = tile.fft %x norm ortho : !tile.tile<4x1024xcomplex<f32>>
  %r = tile.load %b[%c0] : memref<100xcomplex<f64>> -> !tile.tile<100xcomplex<f64>>
  // CHECK: tile.fft %{{.*}} : !tile.tile<100xcomplex<f64>>
  %s = tile.fft %r : !tile.tile<100xcomplex<f64>>
  tile.return
}

// CHECK-LABEL: @plans
tile.kernel @plans(%a: memref<2x1024xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<2x1024xcomplex<f32>> -> !tile.tile<2x1024xcomplex<f32>>
  // CHECK: tile.fft %{{.*}} plan <radices = [16, 8, 8], threads = 64> : !tile.tile<2x1024xcomplex<f32>>
  %y0 = tile.fft %x plan <radices = [16, 8, 8], threads = 64> : !tile.tile<2x1024xcomplex<f32>>
  // The compiler chooses the threads.
  // CHECK: tile.fft %{{.*}} norm ortho plan <radices = [4, 16, 16]> : !tile.tile<2x1024xcomplex<f32>>
  %y1 = tile.fft %x norm ortho plan <radices = [4, 16, 16]> : !tile.tile<2x1024xcomplex<f32>>
  tile.return
}

// The rows have the maximum length.
// CHECK-LABEL: @longest
tile.kernel @longest(%a: memref<16384xcomplex<f32>>, %b: memref<8192xcomplex<f64>>,
                     %c: memref<8191xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<16384xcomplex<f32>> -> !tile.tile<16384xcomplex<f32>>
  // CHECK: tile.fft
  %x1 = tile.fft %x : !tile.tile<16384xcomplex<f32>>
  %y = tile.load %b[%c0] : memref<8192xcomplex<f64>> -> !tile.tile<8192xcomplex<f64>>
  // CHECK: tile.fft
  %y1 = tile.fft %y : !tile.tile<8192xcomplex<f64>>
  // The length is prime.
  %z = tile.load %c[%c0] : memref<8191xcomplex<f32>> -> !tile.tile<8191xcomplex<f32>>
  // CHECK: tile.fft
  %z1 = tile.fft %z : !tile.tile<8191xcomplex<f32>>
  tile.return
}
