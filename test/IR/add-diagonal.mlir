// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @forms
tile.kernel @forms(%a: memref<18x18xf32>, %b: memref<3x9x5xi16>, %d: memref<18xf32>, %e: memref<3x5xi16>, %n: f32) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<18x18xf32> -> !tile.tile<18x18xf32>
  %y = tile.load %b[%c0, %c0, %c0] : memref<3x9x5xi16> -> !tile.tile<3x9x5xi16>
  %c = tile.load %d[%c0] : memref<18xf32> -> !tile.tile<18xf32>
  %v = tile.load %e[%c0, %c0] : memref<3x5xi16> -> !tile.tile<3x5xi16>
  // CHECK: tile.add_diagonal %{{.*}}, %{{.*}} : !tile.tile<18x18xf32>, !tile.tile<18xf32>
  %f = tile.add_diagonal %x, %c : !tile.tile<18x18xf32>, !tile.tile<18xf32>
  // CHECK: tile.add_diagonal %{{.*}}, %{{.*}} : !tile.tile<18x18xf32>, f32
  %g = tile.add_diagonal %x, %n : !tile.tile<18x18xf32>, f32
  // CHECK: tile.add_diagonal %{{.*}}, %{{.*}} : !tile.tile<3x9x5xi16>, !tile.tile<3x5xi16>
  %h = tile.add_diagonal %y, %v : !tile.tile<3x9x5xi16>, !tile.tile<3x5xi16>
  tile.return
}
