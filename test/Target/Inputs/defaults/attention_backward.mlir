// The gradients of K and V of a block of 64 keys (Dao et al., "FlashAttention", 2022).
!h = !tile.tile<64x64xf16>
!f = !tile.tile<64x64xf32>
!r = !tile.tile<64x1xf32>
tile.kernel @attention_backward(%Q: memref<?x?x64xf16>, %K: memref<?x?x64xf16>, %V: memref<?x?x64xf16>, %dO: memref<?x?x64xf16>, %L: memref<?x?xf32>, %D: memref<?x?xf32>, %dK: memref<?x?x64xf16>, %dV: memref<?x?x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %b = tile.program_id x
  %head = tile.program_id y
  %n = arith.muli %b, %c64 : index
  %length = memref.dim %Q, %c1 : memref<?x?x64xf16>
  %k = tile.load %K[%head, %n, %c0] : memref<?x?x64xf16> -> !h
  %v = tile.load %V[%head, %n, %c0] : memref<?x?x64xf16> -> !h
  %zero = arith.constant dense<0.0> : !f
  %kt = tile.transpose %k [1, 0] : !h to !h
  %vt = tile.transpose %v [1, 0] : !h to !h
  %r:2 = scf.for %m = %c0 to %length step %c64 iter_args(%dk = %zero, %dv = %zero) -> (!f, !f) {
    %q = tile.load %Q[%head, %m, %c0] : memref<?x?x64xf16> -> !h
    %do = tile.load %dO[%head, %m, %c0] : memref<?x?x64xf16> -> !h
    %l = tile.load %L[%head, %m] : memref<?x?xf32> -> !tile.tile<64xf32>
    %d = tile.load %D[%head, %m] : memref<?x?xf32> -> !tile.tile<64xf32>
    %s = tile.matmul %q, %kt, %zero : !h, !h -> !f
    %l1 = tile.reshape %l : !tile.tile<64xf32> to !r
    %ls = tile.broadcast %l1 : !r to !f
    %less = arith.subf %s, %ls : !f
    %p = math.exp %less : !f
    %ph = tile.cast %p : !f to !h
    %pt = tile.transpose %ph [1, 0] : !h to !h
    %dv1 = tile.matmul %pt, %do, %dv : !h, !h -> !f
    %dp = tile.matmul %do, %vt, %zero : !h, !h -> !f
    %d1 = tile.reshape %d : !tile.tile<64xf32> to !r
    %ds = tile.broadcast %d1 : !r to !f
    %dpd = arith.subf %dp, %ds : !f
    %dss = arith.mulf %p, %dpd : !f
    %dsh = tile.cast %dss : !f to !h
    %dst = tile.transpose %dsh [1, 0] : !h to !h
    %dk1 = tile.matmul %dst, %q, %dk : !h, !h -> !f
    scf.yield %dk1, %dv1 : !f, !f
  }
  %dkh = tile.cast %r#0 : !f to !h
  %dvh = tile.cast %r#1 : !f to !h
  tile.store %dkh, %dK[%head, %n, %c0] : !h, memref<?x?x64xf16>
  tile.store %dvh, %dV[%head, %n, %c0] : !h, memref<?x?x64xf16>
  tile.return
}
