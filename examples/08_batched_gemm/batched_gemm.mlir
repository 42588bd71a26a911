// Computes C = max(A B + bias, 0) for a batch of small matrices, with one bias per
// column for the batch. Operands and results are f16, accumulators f32. Each block
// computes 32x32 elements of 8 matrices C, each by one warp, in steps of 32 along K.

#grid = #tile.grid<affine_map<(b, m, n) ->
                              (n ceildiv 32, m ceildiv 32, b ceildiv 8)>
                   of [[0, 0], [0, 1], [1, 2]]>

tile.kernel @batched_gemm(
    %A: memref<?x?x?xf16, strided<[?, ?, 1]>>,
    %B: memref<?x?x?xf16, strided<[?, ?, 1]>>,
    %bias: memref<?xf32>,
    %C: memref<?x?x?xf16, strided<[?, ?, 1]>>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %products = arith.constant 8 : index
  %rows = arith.constant 32 : index
  %columns = arith.constant 32 : index
  %step = arith.constant 32 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %b = arith.muli %z, %products : index
  %m = arith.muli %y, %rows : index
  %n = arith.muli %x, %columns : index
  %K = memref.dim %A, %c2 : memref<?x?x?xf16, strided<[?, ?, 1]>>
  %zero = arith.constant dense<0.0> : !tile.tile<8x32x32xf32>
  %sum = scf.for %k = %c0 to %K step %step
      iter_args(%acc = %zero) -> !tile.tile<8x32x32xf32> {
    %left = tile.load %A[%b, %m, %k]
        : memref<?x?x?xf16, strided<[?, ?, 1]>> -> !tile.tile<8x32x32xf16>
    %right = tile.load %B[%b, %k, %n]
        : memref<?x?x?xf16, strided<[?, ?, 1]>> -> !tile.tile<8x32x32xf16>
    %d = tile.matmul %left, %right, %acc
        : !tile.tile<8x32x32xf16>, !tile.tile<8x32x32xf16>
        -> !tile.tile<8x32x32xf32>
    scf.yield %d : !tile.tile<8x32x32xf32>
  }
  %row = tile.load %bias[%n] : memref<?xf32> -> !tile.tile<32xf32>
  %biases = tile.broadcast %row
      : !tile.tile<32xf32> to !tile.tile<8x32x32xf32>
  %biased = arith.addf %sum, %biases : !tile.tile<8x32x32xf32>
  %positive = arith.maximumf %biased, %zero : !tile.tile<8x32x32xf32>
  %c = tile.cast %positive
      : !tile.tile<8x32x32xf32> to !tile.tile<8x32x32xf16>
  tile.store %c, %C[%b, %m, %n]
      : !tile.tile<8x32x32xf16>, memref<?x?x?xf16, strided<[?, ?, 1]>>
  tile.return
}
