// Computes the Cholesky factor of one large n x n matrix, L L' = A, in place, in blocks
// of 64x64; n may be any. For each column of blocks, from left to right, there are
// three launches, with the index of the column as an argument:
//
//   factor_diagonal  A11 = L11 L11', one block
//   solve_panel      X L11' = A21 for the rows below, a block for 32 of them
//   update_rest      A22 = A22 - X X', a block for 64x64 of the lower triangle
//
// Blocks reach beyond the matrix if 64 does not divide n: loads outside return zero,
// and stores outside are dropped. The diagonal of the last block has ones outside, so
// that it is still positive definite. Elements above the diagonal of A are ignored;
// those of the result are zero in the blocks of the diagonal, and unchanged
// elsewhere.

#one = #tile.grid<affine_map<() -> (1)> of []>
#below = #tile.grid<affine_map<(n, step) -> (n ceildiv 32 - 2 * step - 2)>
                    of [[1, 0], [0]]>
#rest = #tile.grid<affine_map<(n, step) -> (n ceildiv 64 - step - 1,
                                            n ceildiv 64 - step - 1)>
                   of [[1, 0], [0]]>

tile.kernel @factor_diagonal(%step: i32,
                             %A: memref<?x?xf32, strided<[?, 1]>>)
    attributes {grid = #one} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %block = arith.index_cast %step : i32 to index
  %k = arith.muli %block, %size : index
  %a = tile.load %A[%k, %k]
      : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<64x64xf32>

  // Rows outside of the matrix get ones on the diagonal.
  %n = memref.dim %A, %c0 : memref<?x?xf32, strided<[?, 1]>>
  %row = tile.iota axis 0 from %k step %c1 : !tile.tile<64xindex>
  %rows = tile.fill %n : !tile.tile<64xindex>
  %outside = arith.cmpi sge, %row, %rows : !tile.tile<64xindex>
  %one = arith.constant dense<1.0> : !tile.tile<64xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<64xf32>
  %ones = tile.select %outside, %one, %zero
      : !tile.tile<64xi1>, !tile.tile<64xf32>
  %whole = tile.add_diagonal %a, %ones
      : !tile.tile<64x64xf32>, !tile.tile<64xf32>

  %l = tile.cholesky %whole : !tile.tile<64x64xf32>
  tile.store %l, %A[%k, %k]
      : !tile.tile<64x64xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}

tile.kernel @solve_panel(%step: i32, %A: memref<?x?xf32, strided<[?, 1]>>)
    attributes {grid = #below} {
  %height = arith.constant 32 : index
  %size = arith.constant 64 : index
  %block = arith.index_cast %step : i32 to index
  %k = arith.muli %block, %size : index
  %first = arith.addi %k, %size : index
  %x = tile.program_id x
  %distance = arith.muli %x, %height : index
  %i = arith.addi %first, %distance : index
  %l = tile.load %A[%k, %k]
      : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<64x64xf32>
  %a = tile.load %A[%i, %k]
      : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<32x64xf32>
  %solved = tile.triangular_solve %l, %a transposed right
      : !tile.tile<64x64xf32>, !tile.tile<32x64xf32>
  tile.store %solved, %A[%i, %k]
      : !tile.tile<32x64xf32>, memref<?x?xf32, strided<[?, 1]>>
  tile.return
}

tile.kernel @update_rest(%step: i32, %A: memref<?x?xf32, strided<[?, 1]>>)
    attributes {block = 256 : i64, grid = #rest} {
  %c1 = arith.constant 1 : index
  %size = arith.constant 64 : index
  %block = arith.index_cast %step : i32 to index
  %k = arith.muli %block, %size : index
  %x = tile.program_id x
  %y = tile.program_id y
  %isLower = arith.cmpi sle, %x, %y : index
  scf.if %isLower {
    %down = arith.addi %y, %c1 : index
    %rowDistance = arith.muli %down, %size : index
    %i = arith.addi %k, %rowDistance : index
    %right = arith.addi %x, %c1 : index
    %columnDistance = arith.muli %right, %size : index
    %j = arith.addi %k, %columnDistance : index
    %rows = tile.load %A[%i, %k]
        : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<64x64xf32>
    %columns = tile.load %A[%j, %k]
        : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<64x64xf32>
    %a = tile.load %A[%i, %j]
        : memref<?x?xf32, strided<[?, 1]>> -> !tile.tile<64x64xf32>
    %minus = arith.negf %rows : !tile.tile<64x64xf32>
    %transposed = tile.transpose %columns [1, 0]
        : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
    %updated = tile.matmul %minus, %transposed, %a
        : !tile.tile<64x64xf32>, !tile.tile<64x64xf32> -> !tile.tile<64x64xf32>
    tile.store %updated, %A[%i, %j]
        : !tile.tile<64x64xf32>, memref<?x?xf32, strided<[?, 1]>>
  }
  tile.return
}
