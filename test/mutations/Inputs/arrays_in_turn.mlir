tile.kernel @iterarg(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<64xf32>, memref<64xf32>) {
    %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
    tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
    scf.yield %y, %x : memref<64xf32>, memref<64xf32>
  }
  tile.return
}
