// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<3x18x7xf32>, %b: memref<3x18x2xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<3x18x7xf32> -> !tile.tile<3x18x7xf32>
  %y = tile.load %b[%c0, %c0, %c0] : memref<3x18x2xf32> -> !tile.tile<3x18x2xf32>
  // CHECK: tile.least_squares %{{.*}}, %{{.*}} : !tile.tile<3x18x7xf32>, !tile.tile<3x18x2xf32> to !tile.tile<3x7x2xf32>
  %r = tile.least_squares %x, %y : !tile.tile<3x18x7xf32>, !tile.tile<3x18x2xf32> to !tile.tile<3x7x2xf32>
  tile.return
}
