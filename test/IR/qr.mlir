// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<18x7xf32>, %b: memref<4x2x7x7xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<18x7xf32> -> !tile.tile<18x7xf32>
  %y = tile.load %b[%c0, %c0, %c0, %c0] : memref<4x2x7x7xf64> -> !tile.tile<4x2x7x7xf64>
  // CHECK: tile.qr %{{.*}} : !tile.tile<18x7xf32> to !tile.tile<18x7xf32>, !tile.tile<7x7xf32>
  %q, %r = tile.qr %x : !tile.tile<18x7xf32> to !tile.tile<18x7xf32>, !tile.tile<7x7xf32>
  // CHECK: tile.qr %{{.*}} : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2x7x7xf64>, !tile.tile<4x2x7x7xf64>
  %p, %s = tile.qr %y : !tile.tile<4x2x7x7xf64> to !tile.tile<4x2x7x7xf64>, !tile.tile<4x2x7x7xf64>
  tile.return
}
