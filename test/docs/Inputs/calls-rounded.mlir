// Calls the function of docs/Differentiation.md.
tile.kernel @calls(%x: memref<64xf32> {tile.name = "x"}, %y: memref<64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w = func.call @rounded(%v) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
  tile.store %w, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
