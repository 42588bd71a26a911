tile.kernel @nested(%a: memref<?x?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %nb = memref.dim %a, %c0 : memref<?x?x?xf16>
  %k = memref.dim %a, %c2 : memref<?x?x?xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  scf.for %z = %c0 to %nb step %c1 {
    %s = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
      %ta = tile.load %a[%z, %c0, %i] : memref<?x?x?xf16> -> !tile.tile<64x32xf16>
      %tb = tile.load %b[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
      %m = tile.matmul %ta, %tb, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      scf.yield %m : !tile.tile<64x64xf32>
    }
    %sum = tile.reduce add %s axis 1 : !tile.tile<64x64xf32> to !tile.tile<64xf32>
    %mx = tile.reduce max %s axis 0 : !tile.tile<64x64xf32> to !tile.tile<64xf32>
    %q = arith.addf %sum, %mx : !tile.tile<64xf32>
    %w = tile.broadcast %q : !tile.tile<64xf32> to !tile.tile<64x64xf32>
    %o = arith.addf %w, %s : !tile.tile<64x64xf32>
    tile.store %o, %d[%z, %c0, %c0] : !tile.tile<64x64xf32>, memref<?x?x?xf32>
  }
  tile.return
}
