// RUN: tile-opt %s -pass-pipeline='builtin.module(tile.kernel(tile-advance-copies))' | FileCheck %s

// Before tiles have layouts, their bytes are not known: nothing is moved.
// CHECK-LABEL: @without_layouts
// CHECK: tile.load
// CHECK-NEXT: tile.view
module attributes {tile.target = "sm_80"} {
tile.kernel @without_layouts(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<?x?xf32> -> !tile.tile<32x32xf32, #tile.shared>
  %v = tile.view %t[%i, %i] : !tile.tile<32x32xf32, #tile.shared> to !tile.tile<8x8xf32, #tile.shared>
  %r = tile.convert_layout %v : !tile.tile<8x8xf32, #tile.shared> to !tile.tile<8x8xf32, #tile.register>
  tile.store %r, %c[%c0, %c0] : !tile.tile<8x8xf32, #tile.register>, memref<?x?xf32>
  tile.return
}
}
