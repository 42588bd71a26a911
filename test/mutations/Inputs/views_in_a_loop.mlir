tile.kernel @view(%a: memref<?x?xf32>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %x = tile.load %a[%c0, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = tile.view %x[%i, %i] : !tile.tile<64x64xf32> to !tile.tile<16x16xf32>
    %t = tile.transpose %v [1, 0] : !tile.tile<16x16xf32> to !tile.tile<16x16xf32>
    %w = arith.addf %v, %t : !tile.tile<16x16xf32>
    tile.store %w, %d[%i, %c0] : !tile.tile<16x16xf32>, memref<?x?xf32>
  }
  tile.return
}
