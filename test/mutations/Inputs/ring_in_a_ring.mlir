tile.kernel @nested2(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %r = scf.for %z = %c0 to %n step %c32 iter_args(%out = %zero) -> !tile.tile<64x64xf32> {
    %oa = tile.load %a[%z, %c0] : memref<?x?xf16> -> !tile.tile<64x32xf16>
    %ob = tile.load %b[%c0, %z] : memref<?x?xf16> -> !tile.tile<32x64xf16>
    %s = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %out) -> !tile.tile<64x64xf32> {
      %ta = tile.load %a[%z, %i] : memref<?x?xf16> -> !tile.tile<64x32xf16>
      %tb = tile.load %b[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
      %m = tile.matmul %ta, %tb, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      %m2 = tile.matmul %oa, %tb, %m : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      scf.yield %m2 : !tile.tile<64x64xf32>
    }
    %m3 = tile.matmul %oa, %ob, %s : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %m3 : !tile.tile<64x64xf32>
  }
  scf.if %c {
    tile.store %r, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  } else {
    %t = tile.transpose %r [1, 0] : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
    tile.store %t, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  }
  tile.return
}
