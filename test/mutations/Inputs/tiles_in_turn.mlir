// A loop over tiles of the result around a loop over K: the copies run ahead over both.

tile.kernel @tiles(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf16>)
    attributes {grid = #tile.grid<affine_map<(m) -> (2)> of [[0, 0]]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %first = tile.program_id x
  %m = memref.dim %d, %c0 : memref<?x?xf16>
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %tiles = arith.ceildivsi %m, %c64 : index
  %z = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  scf.for %t = %first to %tiles step %c2 {
    %row = arith.muli %t, %c64 : index
    %r = scf.for %p = %c0 to %k step %c32 iter_args(%acc = %z) -> !tile.tile<64x64xf32> {
      %x = tile.load %a[%row, %p] : memref<?x?xf16> -> !tile.tile<64x32xf16>
      %y = tile.load %b[%p, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
      %s = tile.matmul %x, %y, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      scf.yield %s : !tile.tile<64x64xf32>
    }
    %h = tile.cast %r : !tile.tile<64x64xf32> to !tile.tile<64x64xf16>
    tile.store %h, %d[%row, %c0] : !tile.tile<64x64xf16>, memref<?x?xf16>
  }
  tile.return
}
