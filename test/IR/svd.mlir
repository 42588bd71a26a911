// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<18x7xf32>, %b: memref<4x2x7x7xf64>, %c: memref<9x5xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<18x7xf32> -> !tile.tile<18x7xf32>
  %y = tile.load %b[%c0, %c0, %c0, %c0] : memref<4x2x7x7xf64> -> !tile.tile<4x2x7x7xf64>
  // CHECK: tile.svd %{{.*}} : !tile.tile<18x7xf32> to !tile.tile<18x7xf32>, !tile.tile<7xf32>, !tile.tile<7x7xf32>{{$}}
  %u, %s, %vt = tile.svd %x : !tile.tile<18x7xf32> to !tile.tile<18x7xf32>, !tile.tile<7xf32>, !tile.tile<7x7xf32>
  // CHECK: tile.svd %{{.*}} : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2x7x7xf64>, !tile.tile<4x2x7xf64>, !tile.tile<4x2x7x7xf64> status !tile.tile<4x2xi32>
  %p, %d, %q, %i = tile.svd %y : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2x7x7xf64>, !tile.tile<4x2x7xf64>, !tile.tile<4x2x7x7xf64> status !tile.tile<4x2xi32>
  %z = tile.load %c[%c0, %c0] : memref<9x5xcomplex<f64>> -> !tile.tile<9x5xcomplex<f64>>
  // CHECK: tile.svd %{{.*}} : !tile.tile<9x5xcomplex<f64>> to !tile.tile<9x5xcomplex<f64>>, !tile.tile<5xf64>, !tile.tile<5x5xcomplex<f64>>{{$}}
  %e, %f, %g = tile.svd %z : !tile.tile<9x5xcomplex<f64>> to !tile.tile<9x5xcomplex<f64>>, !tile.tile<5xf64>, !tile.tile<5x5xcomplex<f64>>
  tile.return
}
