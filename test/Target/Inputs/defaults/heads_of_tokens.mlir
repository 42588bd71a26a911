// Scores of one head, of tokens and columns of an array of tokens, heads and columns.
#grid = #tile.grid<affine_map<(t, h) -> (t ceildiv 64, h)> of [[0, 0], [0, 1]]>
tile.kernel @qk(%Q: memref<?x?x64xf16>, %K: memref<?x?x64xf16>, %S: memref<?x?x64xf32>) attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %b = tile.program_id x
  %h = tile.program_id y
  %t = arith.muli %b, %c64 : index
  %n = memref.dim %K, %c0 : memref<?x?x64xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %q0 = tile.load %Q[%t, %h, %c0] : memref<?x?x64xf16> -> !tile.tile<64x1x64xf16>
  %q = tile.reshape %q0 : !tile.tile<64x1x64xf16> to !tile.tile<64x64xf16>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %kk0 = tile.load %K[%k, %h, %c0] : memref<?x?x64xf16> -> !tile.tile<64x1x64xf16>
    %kk = tile.reshape %kk0 : !tile.tile<64x1x64xf16> to !tile.tile<64x64xf16>
    %kt = tile.transpose %kk [1, 0] : !tile.tile<64x64xf16> to !tile.tile<64x64xf16>
    %d = tile.matmul %q, %kt, %acc : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %S[%t, %h, %c0] dims [0, 2] : !tile.tile<64x64xf32>, memref<?x?x64xf32>
  tile.return
}
