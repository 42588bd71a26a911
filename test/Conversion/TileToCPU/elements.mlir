// RUN: tile-opt %s -convert-tile-to-cpu | FileCheck %s

// An elementwise operation of another dialect becomes its scalar operations;
// f16 is computed in f32, as it is for arith.
// CHECK-LABEL: func.func @_tile_program_mean
// CHECK: linalg.generic
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: arith.mulf {{.*}} : f32
// CHECK: linalg.yield {{.*}} : f16
tile.kernel @mean(%a: memref<8xf16>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0] : memref<8xf16> -> !tile.tile<8xf16>
  %y = tile.load %a[%c0] : memref<8xf16> -> !tile.tile<8xf16>
  %mean = example.mean %x, %y : !tile.tile<8xf16>
  tile.store %mean, %a[%c0] : !tile.tile<8xf16>, memref<8xf16>
  tile.return
}
