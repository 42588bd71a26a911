// RUN: tile-opt %s -convert-tile-to-nvgpu -verify-diagnostics

#rows = #tile.register<((4,8),1,4):((4,0),0,1), box = [4, 4]>
#row = #tile.register<((4,8),1,4):((0,0),0,1), box = [4]>

// Another layout of the permutation is refused.
tile.kernel @other_layout(%a: memref<4x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #rows>
  // expected-error@+1 {{expected tiles in the layouts that it requires (run -tile-assign-layouts before), got '!tile.tile<4xi32, #tile.register<((4,8),1,4):((0,0),0,1), box = [4]>>'}}
  %f, %p = tile.lu %x unordered : !tile.tile<4x4xf32, #rows>, !tile.tile<4xi32, #row>
  tile.store %f, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #rows>, memref<4x4xf32>
  tile.return
}
