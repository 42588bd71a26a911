// RUN: tile-opt %s -convert-tile-to-nvgpu | FileCheck %s

#l4 = #tile.register<(32,1,4):(4,0,1), box = [32, 4, 1]>

// A thread has four elements: 16 additions, and no multiplication by one or i.
// CHECK-LABEL: tile.kernel @radix_four
// CHECK-NOT:     arith.mulf
// CHECK-NOT:     math.fma
// CHECK-NOT:     memref.get_global
// CHECK-COUNT-16: arith.{{addf|subf}}
// CHECK-NOT:     arith.{{addf|subf}}
// CHECK:         tile.return
module attributes {tile.target = "sm_80"} {
tile.kernel @radix_four(%a: memref<32x4x1xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<32x4x1xcomplex<f32>> -> !tile.tile<32x4x1xcomplex<f32>, #l4>
  %y = tile.partial_fft %x places 1 threads 1 : !tile.tile<32x4x1xcomplex<f32>, #l4>
  tile.store %y, %a[%c0, %c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<32x4x1xcomplex<f32>, #l4>, memref<32x4x1xcomplex<f32>>
  tile.return
}
}
