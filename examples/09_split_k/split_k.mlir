// Multiplies matrices, C = A B, where C is small and K is long: a C of 256x256 has too
// few tiles for a GPU. So K is divided into as many parts as the workspace has. The
// first of two kernels computes a matmul for each part, and the second adds them up, in
// a fixed order, so that the result has the same bits in each run.

// Computes a matmul for each part of K. A block computes 64x64 elements of one matmul.
#parts = #tile.grid<affine_map<(m, n, s) -> (m ceildiv 64, n ceildiv 64, s)>
                    of [[0, 0], [1, 1], [2, 0]]>

tile.kernel @split_k_products(
    %A: memref<?x?xf16, strided<[?, 1]>>,
    %B: memref<?x?xf16, strided<[?, 1]>>,
    %workspace: memref<?x?x?xf32>)
    attributes {block = 128 : i64, grid = #parts} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tile = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %part = tile.program_id z
  %m = arith.muli %x, %tile : index
  %n = arith.muli %y, %tile : index
  // A part consists of whole steps of 64; the last part has the remaining steps.
  %parts = memref.dim %workspace, %c0 : memref<?x?x?xf32>
  %K = memref.dim %A, %c1 : memref<?x?xf16, strided<[?, 1]>>
  %steps = arith.ceildivui %K, %tile : index
  %steps_each = arith.ceildivui %steps, %parts : index
  %length = arith.muli %steps_each, %tile : index
  %start = arith.muli %part, %length : index
  %stop = arith.addi %start, %length : index
  %end = arith.minui %stop, %K : index
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %sum = scf.for %k = %start to %end step %tile
      iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %a = tile.load %A[%m, %k]
        : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<64x64xf16>
    %b = tile.load %B[%k, %n]
        : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<64x64xf16>
    %d = tile.matmul %a, %b, %acc
        : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %d : !tile.tile<64x64xf32>
  }
  tile.store %sum, %workspace[%part, %m, %n]
      : !tile.tile<64x64xf32>, memref<?x?x?xf32>
  tile.return
}

// Adds up the matmuls of the parts. Each block adds 8x64 elements of 8 parts at a time.
// Loads after the last part return zero.
#tiles = #tile.grid<affine_map<(m, n) -> (m ceildiv 8, n ceildiv 64)>
                    of [[1, 0], [1, 1]]>

tile.kernel @split_k_sum(
    %workspace: memref<?x?x?xf32>,
    %C: memref<?x?xf16, strided<[?, 1]>>)
    attributes {block = 128 : i64, grid = #tiles} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %columns = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %c8 : index
  %n = arith.muli %y, %columns : index
  %parts = memref.dim %workspace, %c0 : memref<?x?x?xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<8x64xf32>
  %sum = scf.for %s = %c0 to %parts step %c8
      iter_args(%acc = %zero) -> !tile.tile<8x64xf32> {
    %some = tile.load %workspace[%s, %m, %n]
        : memref<?x?x?xf32> -> !tile.tile<8x8x64xf32>
    %partial = tile.reduce add %some axis 0
        : !tile.tile<8x8x64xf32> to !tile.tile<8x64xf32>
    %next = arith.addf %acc, %partial : !tile.tile<8x64xf32>
    scf.yield %next : !tile.tile<8x64xf32>
  }
  %c = tile.cast %sum : !tile.tile<8x64xf32> to !tile.tile<8x64xf16>
  tile.store %c, %C[%m, %n]
      : !tile.tile<8x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  tile.return
}
