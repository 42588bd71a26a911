memref.global "private" constant @numbers : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
tile.kernel @negate(%x: memref<4xf32>) attributes {grid = #tile.grid<affine_map<() -> (1)> of []>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<4xf32> -> !tile.tile<4xf32>
  %n = arith.negf %t : !tile.tile<4xf32>
  tile.store %n, %x[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.return
}
func.func @main() {
  %numbers = memref.get_global @numbers : memref<4xf32>
  tile.launch @negate(%numbers) : memref<4xf32>
  return
}
