// Two matmuls of one lhs; the result of one is the gate of the other.
!f = !tile.tile<64x128xf32>
tile.kernel @gated_mlp(%X: memref<?x?xf16>, %G: memref<?x?xf16>, %U: memref<?x?xf16>, %C: memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %c64 : index
  %n = arith.muli %y, %c128 : index
  %depth = memref.dim %X, %c1 : memref<?x?xf16>
  %zero = arith.constant dense<0.0> : !f
  %s:2 = scf.for %k = %c0 to %depth step %c32 iter_args(%g = %zero, %u = %zero) -> (!f, !f) {
    %a = tile.load %X[%m, %k] : memref<?x?xf16> -> !tile.tile<64x32xf16>
    %b = tile.load %G[%k, %n] : memref<?x?xf16> -> !tile.tile<32x128xf16>
    %d = tile.load %U[%k, %n] : memref<?x?xf16> -> !tile.tile<32x128xf16>
    %g1 = tile.matmul %a, %b, %g : !tile.tile<64x32xf16>, !tile.tile<32x128xf16> -> !f
    %u1 = tile.matmul %a, %d, %u : !tile.tile<64x32xf16>, !tile.tile<32x128xf16> -> !f
    scf.yield %g1, %u1 : !f, !f
  }
  %one = arith.constant dense<1.0> : !f
  %neg = arith.negf %s#0 : !f
  %e = math.exp %neg : !f
  %e1 = arith.addf %e, %one : !f
  %si = arith.divf %s#0, %e1 : !f
  %o = arith.mulf %si, %s#1 : !f
  %oh = tile.cast %o : !f to !tile.tile<64x128xf16>
  tile.store %oh, %C[%m, %n] : !tile.tile<64x128xf16>, memref<?x?xf16>
  tile.return
}
