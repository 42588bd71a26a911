// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<18x18xf32>, %b: memref<4x2x7x7xf64>, %d: memref<18x3xf32>, %e: memref<4x2x7x1xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %y = tile.load %b[%c0, %c0, %c0, %c0] : memref<4x2x7x7xf64> -> !tile.tile<4x2x7x7xf64>
  %c = tile.load %d[%c0, %c0] : memref<18x3xf32> -> !tile.tile<18x3xf32>
  %v = tile.load %e[%c0, %c0, %c0, %c0] : memref<4x2x7x1xf64> -> !tile.tile<4x2x7x1xf64>
  // CHECK: tile.solve %{{.*}}, %{{.*}} : !tile.tile<18x18xf32>, !tile.tile<18x3xf32>{{$}}
  %f = tile.solve %x, %c : !tile.tile<18x18xf32>, !tile.tile<18x3xf32>
  // CHECK: tile.solve %{{.*}}, %{{.*}} spd : !tile.tile<18x18xf32>, !tile.tile<18x3xf32> status !tile.tile<i32>
  %g, %s = tile.solve %x, %c spd : !tile.tile<18x18xf32>, !tile.tile<18x3xf32> status !tile.tile<i32>
  // CHECK: tile.solve %{{.*}}, %{{.*}} : !tile.tile<4x2x7x7xf64>, !tile.tile<4x2x7x1xf64> status !tile.tile<4x2xi32>
  %h, %t = tile.solve %y, %v : !tile.tile<4x2x7x7xf64>, !tile.tile<4x2x7x1xf64> status !tile.tile<4x2xi32>
  tile.return
}
