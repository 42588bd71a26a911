// A matmul with i8 weights; every 64 rows of a column share a scale.
!f = !tile.tile<64x128xf32>
tile.kernel @grouped(%X: memref<?x?xf16>, %W: memref<?x?xi8>, %S: memref<?x?xf16>, %C: memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %c64 : index
  %n = arith.muli %y, %c128 : index
  %depth = memref.dim %X, %c1 : memref<?x?xf16>
  %zero = arith.constant dense<0.0> : !f
  %s = scf.for %k = %c0 to %depth step %c64 iter_args(%acc = %zero) -> !f {
    %a = tile.load %X[%m, %k] : memref<?x?xf16> -> !tile.tile<64x64xf16>
    %w = tile.load %W[%k, %n] : memref<?x?xi8> -> !tile.tile<64x128xi8>
    %g = arith.divui %k, %c64 : index
    %sc = tile.load %S[%g, %n] : memref<?x?xf16> -> !tile.tile<128xf16>
    %wf = tile.cast %w : !tile.tile<64x128xi8> to !tile.tile<64x128xf16>
    %sb = tile.broadcast %sc : !tile.tile<128xf16> to !tile.tile<64x128xf16>
    %ws = arith.mulf %wf, %sb : !tile.tile<64x128xf16>
    %d = tile.matmul %a, %ws, %acc : !tile.tile<64x64xf16>, !tile.tile<64x128xf16> -> !f
    scf.yield %d : !f
  }
  %oh = tile.cast %s : !f to !tile.tile<64x128xf16>
  tile.store %oh, %C[%m, %n] : !tile.tile<64x128xf16>, memref<?x?xf16>
  tile.return
}
