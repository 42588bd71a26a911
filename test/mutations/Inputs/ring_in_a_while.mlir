tile.kernel @whilek(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %r = scf.while (%z = %c0) : (index) -> index {
    %s = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
      %ta = tile.load %a[%z, %i] : memref<?x?xf16> -> !tile.tile<64x32xf16>
      %tb = tile.load %b[%i, %c0] : memref<?x?xf16> -> !tile.tile<32x64xf16>
      %m = tile.matmul %ta, %tb, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
      scf.yield %m : !tile.tile<64x64xf32>
    }
    tile.store %s, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
    %go = arith.cmpi slt, %z, %n : index
    scf.condition(%go) %z : index
  } do {
  ^bb0(%z: index):
    %x = tile.load %d[%z, %c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
    %t = tile.transpose %x [1, 0] : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
    tile.store %t, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
    %j = arith.addi %z, %c1 : index
    scf.yield %j : index
  }
  tile.return
}
