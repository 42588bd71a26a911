// RUN: tile-opt %s -convert-tile-to-nvgpu -verify-diagnostics



// A tile in any other layout is refused.
#columns = #tile.register<((4,8),1,4):((1,0),0,4), box = [4, 4]>
tile.kernel @other_layout(%a: memref<4x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : memref<4x4xf32> -> !tile.tile<4x4xf32, #columns>
  // expected-error@+1 {{expected tiles in the layouts that it requires (run -tile-assign-layouts before), got '!tile.tile<4x4xf32, #tile.register<((4,8),1,4):((1,0),0,4), box = [4, 4]>>'}}
  %l = tile.cholesky %x : !tile.tile<4x4xf32, #columns>
  tile.store %l, %a[%c0, %c0] in_bounds {tile.access = #tile.access<vector = 1, kind = elements, guard = none>} : !tile.tile<4x4xf32, #columns>, memref<4x4xf32>
  tile.return
}
