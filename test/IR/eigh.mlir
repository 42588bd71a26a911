// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<7x7xf32>, %b: memref<4x2x8x8xf64>, %c: memref<3x9x9xcomplex<f32>>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<7x7xf32> -> !tile.tile<7x7xf32>
  %y = tile.load %b[%c0, %c0, %c0, %c0] : memref<4x2x8x8xf64> -> !tile.tile<4x2x8x8xf64>
  // CHECK: tile.eigh %{{.*}} : !tile.tile<7x7xf32> to !tile.tile<7xf32>, !tile.tile<7x7xf32>{{$}}
  %w, %v = tile.eigh %x : !tile.tile<7x7xf32> to !tile.tile<7xf32>, !tile.tile<7x7xf32>
  // CHECK: tile.eigh %{{.*}} : !tile.tile<4x2x8x8xf64> to !tile.tile<4x2x8xf64>, !tile.tile<4x2x8x8xf64> status !tile.tile<4x2xi32>
  %u, %t, %s = tile.eigh %y : !tile.tile<4x2x8x8xf64> to !tile.tile<4x2x8xf64>, !tile.tile<4x2x8x8xf64> status !tile.tile<4x2xi32>
  %z = tile.load %c[%c0, %c0, %c0] : memref<3x9x9xcomplex<f32>> -> !tile.tile<3x9x9xcomplex<f32>>
  // CHECK: tile.eigh %{{.*}} : !tile.tile<3x9x9xcomplex<f32>> to !tile.tile<3x9xf32>, !tile.tile<3x9x9xcomplex<f32>>{{$}}
  %p, %q = tile.eigh %z : !tile.tile<3x9x9xcomplex<f32>> to !tile.tile<3x9xf32>, !tile.tile<3x9x9xcomplex<f32>>
  tile.return
}
