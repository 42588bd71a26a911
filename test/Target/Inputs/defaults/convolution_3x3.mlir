// A convolution with a window of 3x3, as nine matmuls.
!f = !tile.tile<64x64xf32>
tile.kernel @convolution(%X: memref<?x?x?x64xf16>, %W: memref<9x64x?xf16>, %Y: memref<?x?x?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c64 = arith.constant 64 : index
  %bx = tile.program_id x
  %row = tile.program_id y
  %image = tile.program_id z
  %w0 = arith.muli %bx, %c64 : index
  %zero = arith.constant dense<0.0> : !f
  %s = scf.for %t = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> !f {
    %dy = arith.divui %t, %c3 : index
    %dx = arith.remui %t, %c3 : index
    %r0 = arith.addi %row, %dy : index
    %r = arith.subi %r0, %c1 : index
    %q0 = arith.addi %w0, %dx : index
    %q = arith.subi %q0, %c1 : index
    %a = tile.load %X[%image, %r, %q, %c0] : memref<?x?x?x64xf16> -> !tile.tile<64x64xf16>
    %b = tile.load %W[%t, %c0, %c0] : memref<9x64x?xf16> -> !tile.tile<64x64xf16>
    %d = tile.matmul %a, %b, %acc : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !f
    scf.yield %d : !f
  }
  %oh = tile.cast %s : !f to !tile.tile<64x64xf16>
  tile.store %oh, %Y[%image, %row, %w0, %c0] : !tile.tile<64x64xf16>, memref<?x?x?x?xf16>
  tile.return
}
