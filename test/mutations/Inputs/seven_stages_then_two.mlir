tile.kernel @stages(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
    %s = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
      %ta = tile.load %a[%c0, %i] : memref<?x?xf16> -> !tile.tile<64x32xf16>
      %tb = tile.load %b[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
      %m = tile.matmul %ta, %tb, %acc tiling <stages = 7> : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      scf.yield %m : !tile.tile<64x64xf32>
    }
    %s2 = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %s) -> !tile.tile<64x64xf32> {
      %ta = tile.load %a[%c0, %i] : memref<?x?xf16> -> !tile.tile<64x32xf16>
      %tb = tile.load %b[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
      %m = tile.matmul %ta, %tb, %acc tiling <stages = 2> : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      scf.yield %m : !tile.tile<64x64xf32>
    }
    tile.store %s2, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}
