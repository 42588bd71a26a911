// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<7x7xf32>, %b: memref<4x2x8x8xf64>, %c: memref<9x9xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<7x7xf32> -> !tile.tile<7x7xf32>
  %y = tile.load %b[%c0, %c0, %c0, %c0] : memref<4x2x8x8xf64> -> !tile.tile<4x2x8x8xf64>
  // CHECK: tile.one_sided_jacobi %{{.*}} : !tile.tile<7x7xf32>, !tile.tile<7xf32>{{$}}
  %q, %d = tile.one_sided_jacobi %x : !tile.tile<7x7xf32>, !tile.tile<7xf32>
  // CHECK: tile.one_sided_jacobi %{{.*}} : !tile.tile<4x2x8x8xf64>, !tile.tile<4x2x8xf64> status !tile.tile<4x2xi32>
  %p, %e, %s = tile.one_sided_jacobi %y : !tile.tile<4x2x8x8xf64>, !tile.tile<4x2x8xf64> status !tile.tile<4x2xi32>
  %z = tile.load %c[%c0, %c0] : memref<9x9xcomplex<f64>> -> !tile.tile<9x9xcomplex<f64>>
  // CHECK: tile.one_sided_jacobi %{{.*}} : !tile.tile<9x9xcomplex<f64>>, !tile.tile<9xf64>{{$}}
  %r, %f = tile.one_sided_jacobi %z : !tile.tile<9x9xcomplex<f64>>, !tile.tile<9xf64>
  tile.return
}
