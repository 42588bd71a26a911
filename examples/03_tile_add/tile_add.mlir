// Adds two tiles of 16x16 elements, c = a + b.

#grid = #tile.grid<affine_map<() -> (1)> of []>

tile.kernel @tile_add(%a: memref<16x16xf32>, %b: memref<16x16xf32>,
                      %c: memref<16x16xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %ta = tile.load %a[%c0, %c0] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  %tb = tile.load %b[%c0, %c0] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  %tc = arith.addf %ta, %tb : !tile.tile<16x16xf32>
  tile.store %tc, %c[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}
