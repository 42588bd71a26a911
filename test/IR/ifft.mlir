// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @norms
tile.kernel @norms(%a: memref<4x1024xcomplex<f32>>, %b: memref<100xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %y = tile.load %a[%c0, %c0] : memref<4x1024xcomplex<f32>> -> !tile.tile<4x1024xcomplex<f32>>
  // The factor of 1/n, which is the default of ifft.
  // CHECK: tile.ifft %{{.*}} : !tile.tile<4x1024xcomplex<f32>>{{$}}
  %z0 = tile.ifft %y norm by_n : !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.ifft %{{.*}} norm none : !tile.tile<4x1024xcomplex<f32>>
  %z1 = tile.ifft %y norm none : !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.ifft %{{.*}} norm ortho : !tile.tile<4x1024xcomplex<f32>>
  %z2 = tile.ifft %y norm ortho : !tile.tile<4x1024xcomplex<f32>>
  // CHECK: tile.ifft %{{.*}} plan <radices = [16, 8, 8], threads = 128> : !tile.tile<4x1024xcomplex<f32>>
  %z3 = tile.ifft %y plan <radices = [16, 8, 8], threads = 128> : !tile.tile<4x1024xcomplex<f32>>
  %r = tile.load %b[%c0] : memref<100xcomplex<f64>> -> !tile.tile<100xcomplex<f64>>
  // CHECK: tile.ifft %{{.*}} : !tile.tile<100xcomplex<f64>>
  %s = tile.ifft %r : !tile.tile<100xcomplex<f64>>
  tile.return
}
