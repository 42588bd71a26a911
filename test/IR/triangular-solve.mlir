// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<18x18xf32>, %b: memref<18x3xf32>, %c: memref<3x18xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %x = tile.load %b[%c0, %c0] : memref<18x3xf32> -> !tile.tile<18x3xf32>
  %y = tile.load %c[%c0, %c0] : memref<3x18xf32> -> !tile.tile<3x18xf32>
  // CHECK: tile.triangular_solve %{{.*}}, %{{.*}} : !tile.tile<18x18xf32>, !tile.tile<18x3xf32>
  %0 = tile.triangular_solve %t, %x : !tile.tile<18x18xf32>, !tile.tile<18x3xf32>
  // CHECK: tile.triangular_solve %{{.*}}, %{{.*}} upper transposed unit : !tile.tile<18x18xf32>, !tile.tile<18x3xf32>
  %1 = tile.triangular_solve %t, %x upper transposed unit : !tile.tile<18x18xf32>, !tile.tile<18x3xf32>
  // CHECK: tile.triangular_solve %{{.*}}, %{{.*}} right : !tile.tile<18x18xf32>, !tile.tile<3x18xf32>
  %2 = tile.triangular_solve %t, %y right : !tile.tile<18x18xf32>, !tile.tile<3x18xf32>
  tile.return
}
