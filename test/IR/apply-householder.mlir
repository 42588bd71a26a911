// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<3x18x7xf32>, %b: memref<3x7xf32>, %c: memref<3x18x9xf32>) {
  %c0 = arith.constant 0 : index
  %f = tile.load %a[%c0, %c0, %c0] : memref<3x18x7xf32> -> !tile.tile<3x18x7xf32>
  %s = tile.load %b[%c0, %c0] : memref<3x7xf32> -> !tile.tile<3x7xf32>
  %x = tile.load %c[%c0, %c0, %c0] : memref<3x18x9xf32> -> !tile.tile<3x18x9xf32>
  // CHECK: tile.apply_householder %{{.*}}, %{{.*}}, %{{.*}} : !tile.tile<3x18x7xf32>, !tile.tile<3x7xf32>, !tile.tile<3x18x9xf32>
  %p = tile.apply_householder %f, %s, %x : !tile.tile<3x18x7xf32>, !tile.tile<3x7xf32>, !tile.tile<3x18x9xf32>
  // CHECK: tile.apply_householder %{{.*}}, %{{.*}}, %{{.*}} transposed :
  %q = tile.apply_householder %f, %s, %x transposed : !tile.tile<3x18x7xf32>, !tile.tile<3x7xf32>, !tile.tile<3x18x9xf32>
  // CHECK: tile.apply_householder %{{.*}}, %{{.*}}, %{{.*}} triangular :
  %r = tile.apply_householder %f, %s, %x triangular : !tile.tile<3x18x7xf32>, !tile.tile<3x7xf32>, !tile.tile<3x18x9xf32>
  tile.return
}
