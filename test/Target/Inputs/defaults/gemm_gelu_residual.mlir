// A matmul, then a bias, the activation and a residual.
!f = !tile.tile<128x128xf32>
tile.kernel @gemm_gelu_residual(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %bias: memref<?xf32>, %R: memref<?x?xf16>, %C: memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %c128 : index
  %n = arith.muli %y, %c128 : index
  %depth = memref.dim %A, %c1 : memref<?x?xf16>
  %zero = arith.constant dense<0.0> : !f
  %s = scf.for %k = %c0 to %depth step %c32 iter_args(%acc = %zero) -> !f {
    %a = tile.load %A[%m, %k] : memref<?x?xf16> -> !tile.tile<128x32xf16>
    %b = tile.load %B[%k, %n] : memref<?x?xf16> -> !tile.tile<32x128xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<128x32xf16>, !tile.tile<32x128xf16> -> !f
    scf.yield %d : !f
  }
  %bi = tile.load %bias[%n] : memref<?xf32> -> !tile.tile<128xf32>
  %bb = tile.broadcast %bi : !tile.tile<128xf32> to !f
  %t = arith.addf %s, %bb : !f
  %half = arith.constant dense<0.5> : !f
  %one = arith.constant dense<1.0> : !f
  %rs = arith.constant dense<0.70710678> : !f
  %u = arith.mulf %t, %rs : !f
  %e = math.erf %u : !f
  %e1 = arith.addf %e, %one : !f
  %h = arith.mulf %t, %half : !f
  %g = arith.mulf %h, %e1 : !f
  %r = tile.load %R[%m, %n] : memref<?x?xf16> -> !tile.tile<128x128xf16>
  %rf = tile.cast %r : !tile.tile<128x128xf16> to !f
  %o = arith.addf %g, %rf : !f
  %oh = tile.cast %o : !f to !tile.tile<128x128xf16>
  tile.store %oh, %C[%m, %n] : !tile.tile<128x128xf16>, memref<?x?xf16>
  tile.return
}
