// Multiplies matrices, C = A B, with M = 56, N = 20 and K = 48. Each block of 64
// threads computes 8x4 elements of C, in steps of 8 along K.

#grid = #tile.grid<affine_map<() -> (5, 7)> of []>

tile.kernel @gemm_small(
    %A: memref<56x48xf32>,
    %B: memref<48x20xf32>,
    %C: memref<56x20xf32>)
    attributes {block = 64 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 8 : index
  %columns = arith.constant 4 : index
  %step = arith.constant 8 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %y, %rows : index
  %n = arith.muli %x, %columns : index
  %K = arith.constant 48 : index
  %zero = arith.constant dense<0.0> : !tile.tile<8x4xf32>
  %sum = scf.for %k = %c0 to %K step %step
      iter_args(%acc = %zero) -> !tile.tile<8x4xf32> {
    %a = tile.load %A[%m, %k]
        : memref<56x48xf32> -> !tile.tile<8x8xf32>
    %b = tile.load %B[%k, %n]
        : memref<48x20xf32> -> !tile.tile<8x4xf32>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<8x8xf32>, !tile.tile<8x4xf32> -> !tile.tile<8x4xf32>
    scf.yield %d : !tile.tile<8x4xf32>
  }
  tile.store %sum, %C[%m, %n]
      : !tile.tile<8x4xf32>, memref<56x20xf32>
  tile.return
}
