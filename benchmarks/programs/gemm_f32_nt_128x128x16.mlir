// C = A B: one block multiplies a band of A by a band of B, 16 of K at a time,
// and writes 128x128 of C. A is row-major, B column-major.

#grid = #tile.grid<affine_map<(m, n) -> (m ceildiv 128, n ceildiv 128)>
                   of [[0, 0], [1, 1]]>

tile.kernel @gemm_f32_nt(
    %A: memref<?x?xf32, strided<[?, 1]>>,
    %B: memref<?x?xf32, strided<[1, ?]>>,
    %C: memref<?x?xf32, strided<[?, 1]>>)
    attributes {block = 256 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %bm = tile.program_id x
  %bn = tile.program_id y
  %m = arith.muli %bm, %c128 : index
  %n = arith.muli %bn, %c128 : index
  %K = memref.dim %A, %c1 : memref<?x?xf32, strided<[?, 1]>>
  %zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %sum = scf.for %k = %c0 to %K step %step
      iter_args(%acc = %zero) -> !tile.tile<128x128xf32> {
    %a = tile.load %A[%m, %k]
        : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<128x16xf32>
    %b = tile.load %B[%k, %n]
        : memref<?x?xf32, strided<[1, ?]>> -> !tile.tile<16x128xf32>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<128x16xf32>, !tile.tile<16x128xf32>
        -> !tile.tile<128x128xf32>
    scf.yield %d : !tile.tile<128x128xf32>
  }
  tile.store %sum, %C[%m, %n]
      : !tile.tile<128x128xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}
