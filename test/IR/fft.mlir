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
  // CHECK: tile.ifft %{{.*}} : !tile.tile<4x1024xcomplex<f32>>{{$}}
  %z0 = tile.ifft %y0 norm by_n : !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.ifft %{{.*}} norm none : !tile.tile<4x1024xcomplex<f32>>
  %z1 = tile.ifft %y2 norm none : !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.ifft %{{.*}} norm ortho : !tile.tile<4x1024xcomplex<f32>>
  %z2 = tile.ifft %y3 norm ortho : !tile.tile<4x1024xcomplex<f32>>
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
  // The compiler's choice of threads.
  // CHECK: tile.fft %{{.*}} norm ortho plan <radices = [4, 16, 16]> : !tile.tile<2x1024xcomplex<f32>>
  %y1 = tile.fft %x norm ortho plan <radices = [4, 16, 16]> : !tile.tile<2x1024xcomplex<f32>>
  // CHECK: tile.ifft %{{.*}} plan <radices = [16, 8, 8], threads = 128> : !tile.tile<2x1024xcomplex<f32>>
  %z = tile.ifft %y0 plan <radices = [16, 8, 8], threads = 128> : !tile.tile<2x1024xcomplex<f32>>
  tile.return
}

// CHECK-LABEL: @real
tile.kernel @real(%a: memref<4x2x1024xf32>, %b: memref<75xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<4x2x1024xf32> -> !tile.tile<4x2x1024xf32>
  // CHECK: tile.rfft %{{.*}} : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  %y0 = tile.rfft %x : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  // CHECK: tile.rfft %{{.*}} norm ortho : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  %y1 = tile.rfft %x norm ortho : !tile.tile<4x2x1024xf32> to !tile.tile<4x2x513xcomplex<f32>>
  // CHECK: tile.irfft %{{.*}} : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1024xf32>
  %z0 = tile.irfft %y0 : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1024xf32>
  // Half of 1025 elements, rounded down, and one.
  // CHECK: tile.irfft %{{.*}} norm none : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1025xf32>
  %z1 = tile.irfft %y0 norm none : !tile.tile<4x2x513xcomplex<f32>> to !tile.tile<4x2x1025xf32>
  %r = tile.load %b[%c0] : memref<75xf64> -> !tile.tile<75xf64>
  // CHECK: tile.rfft %{{.*}} : !tile.tile<75xf64> to !tile.tile<38xcomplex<f64>>
  %s = tile.rfft %r : !tile.tile<75xf64> to !tile.tile<38xcomplex<f64>>
  tile.return
}

// The longest rows.
// CHECK-LABEL: @longest
tile.kernel @longest(%a: memref<16384xcomplex<f32>>, %b: memref<8192xcomplex<f64>>,
                     %c: memref<8191xcomplex<f32>>, %d: memref<32768xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<16384xcomplex<f32>> -> !tile.tile<16384xcomplex<f32>>
  // CHECK: tile.fft
  %x1 = tile.fft %x : !tile.tile<16384xcomplex<f32>>
  %y = tile.load %b[%c0] : memref<8192xcomplex<f64>> -> !tile.tile<8192xcomplex<f64>>
  // CHECK: tile.fft
  %y1 = tile.fft %y : !tile.tile<8192xcomplex<f64>>
  // A prime number.
  %z = tile.load %c[%c0] : memref<8191xcomplex<f32>> -> !tile.tile<8191xcomplex<f32>>
  // CHECK: tile.fft
  %z1 = tile.fft %z : !tile.tile<8191xcomplex<f32>>
  %r = tile.load %d[%c0] : memref<32768xf32> -> !tile.tile<32768xf32>
  // CHECK: tile.rfft
  %r1 = tile.rfft %r : !tile.tile<32768xf32> to !tile.tile<16385xcomplex<f32>>
  tile.return
}

// A pass, as -tile-assign-layouts makes it.
// CHECK-LABEL: @pass
tile.kernel @pass(%a: memref<2x8x8xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<2x8x8xcomplex<f32>> -> !tile.tile<2x8x8xcomplex<f32>>
  // CHECK: tile.partial_fft %{{.*}} places 1 threads 8 : !tile.tile<2x8x8xcomplex<f32>>
  %y = tile.partial_fft %x places 1 threads 8 : !tile.tile<2x8x8xcomplex<f32>>
  // CHECK: tile.partial_fft %{{.*}} places 8 threads 4 inverse scale [1.250000e-01, 0.000000e+00] : !tile.tile<2x8x8xcomplex<f32>>
  %z = tile.partial_fft %y places 8 threads 4 inverse scale [0.125, 0.0] : !tile.tile<2x8x8xcomplex<f32>>
  tile.return
}

// CHECK-LABEL: @order
tile.kernel @order(%a: memref<2x6x4xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<2x6x4xcomplex<f32>> -> !tile.tile<2x6x4xcomplex<f32>, #tile.register>
  // CHECK: tile.order_fft %{{.*}} places 1 : !tile.tile<2x6x4xcomplex<f32>, #tile.register> to !tile.tile<2x4x6xcomplex<f32>, #tile.shared>
  %y = tile.order_fft %x places 1 : !tile.tile<2x6x4xcomplex<f32>, #tile.register> to !tile.tile<2x4x6xcomplex<f32>, #tile.shared>
  tile.return
}
