// Multiplies f32 matrices of any sizes, C = A B, by FMA. Each block of 128 threads
// computes 32x64 elements of C, in steps of 64 along K. Loads outside A and B return 0.

#grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 64, m ceildiv 32)>
                   of [[0, 0], [1, 1]]>

tile.kernel @gemm_f32(
    %A: memref<?x?xf32, strided<[?, 1]>>,
    %B: memref<?x?xf32, strided<[?, 1]>>,
    %C: memref<?x?xf32, strided<[?, 1]>>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 32 : index
  %columns = arith.constant 64 : index
  %step = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %y, %rows : index
  %n = arith.muli %x, %columns : index
  %c1 = arith.constant 1 : index
  %K = memref.dim %A, %c1 : memref<?x?xf32, strided<[?, 1]>>
  %zero = arith.constant dense<0.0> : !tile.tile<32x64xf32>
  %sum = scf.for %k = %c0 to %K step %step
      iter_args(%acc = %zero) -> !tile.tile<32x64xf32> {
    %a = tile.load %A[%m, %k]
        : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<32x64xf32>
    %b = tile.load %B[%k, %n]
        : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<64x64xf32>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<32x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<32x64xf32>
    scf.yield %d : !tile.tile<32x64xf32>
  }
  tile.store %sum, %C[%m, %n]
      : !tile.tile<32x64xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}
