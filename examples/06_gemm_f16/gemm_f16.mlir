// Multiplies matrices of f16, C = A B, with f32 accumulators, by tensor cores. Each
// block computes 128x128 elements of C, in steps of 64 along K. Any sizes are allowed.

#grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 128, m ceildiv 128)>
                   of [[0, 0], [1, 1]]>

tile.kernel @gemm_f16(
    %A: memref<?x?xf16, strided<[?, 1]>>,
    %B: memref<?x?xf16, strided<[?, 1]>>,
    %C: memref<?x?xf32, strided<[?, 1]>>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 128 : index
  %columns = arith.constant 128 : index
  %step = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %y, %rows : index
  %n = arith.muli %x, %columns : index
  %c1 = arith.constant 1 : index
  %K = memref.dim %A, %c1 : memref<?x?xf16, strided<[?, 1]>>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %K step %step
      iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %a = tile.load %A[%m, %k]
        : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<128x64xf16>
    %b = tile.load %B[%k, %n]
        : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<64x128xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x64xf16>, !tile.tile<64x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %d : !tile.tile<128x128xf32>
  }
  tile.store %sum, %C[%m, %n]
      : !tile.tile<128x128xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}
