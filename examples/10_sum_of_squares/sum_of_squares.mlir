// Computes the sum of the squares of a long array, reading it once, in two ways. Each
// block adds up 16384 squares: each thread adds its own squares, then threads of a warp
// combine their sums by shuffles, then warps combine their sums through shared memory.

#blocks = #tile.grid<affine_map<(n) -> (n ceildiv 16384)> of [[0, 0]]>
#one = #tile.grid<affine_map<() -> (1)> of []>

// In the first way, each block adds its sum to the total atomically. The order of
// blocks varies, so the last bits differ from run to run.
tile.kernel @sum_of_squares(%x: memref<?xf64>, %total: memref<1xf64>)
    attributes {block = 256 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 2048 : index
  %length = arith.constant 16384 : index
  %block = tile.program_id x
  %start = arith.muli %block, %length : index
  %stop = arith.addi %start, %length : index
  %zero = arith.constant dense<0.0> : !tile.tile<2048xf64>
  %sums = scf.for %i = %start to %stop step %step
      iter_args(%sum = %zero) -> !tile.tile<2048xf64> {
    %v = tile.load %x[%i] : memref<?xf64> -> !tile.tile<2048xf64>
    %square = arith.mulf %v, %v : !tile.tile<2048xf64>
    %next = arith.addf %sum, %square : !tile.tile<2048xf64>
    scf.yield %next : !tile.tile<2048xf64>
  }
  %sum = tile.reduce add %sums : !tile.tile<2048xf64> to !tile.tile<f64>
  %before = tile.atomic_rmw add %sum, %total[%c0]
      : !tile.tile<f64>, memref<1xf64>
  tile.return
}

// In the second way, each block stores its sum, and another kernel, launched
// afterwards, adds up the sums, so that the result has the same bits in each run.
tile.kernel @block_sums(%x: memref<?xf64>, %sums: memref<?xf64>)
    attributes {block = 256 : i64, grid = #blocks} {
  %step = arith.constant 2048 : index
  %length = arith.constant 16384 : index
  %block = tile.program_id x
  %start = arith.muli %block, %length : index
  %stop = arith.addi %start, %length : index
  %zero = arith.constant dense<0.0> : !tile.tile<2048xf64>
  %own = scf.for %i = %start to %stop step %step
      iter_args(%sum = %zero) -> !tile.tile<2048xf64> {
    %v = tile.load %x[%i] : memref<?xf64> -> !tile.tile<2048xf64>
    %square = arith.mulf %v, %v : !tile.tile<2048xf64>
    %next = arith.addf %sum, %square : !tile.tile<2048xf64>
    scf.yield %next : !tile.tile<2048xf64>
  }
  %sum = tile.reduce add %own : !tile.tile<2048xf64> to !tile.tile<f64>
  tile.store %sum, %sums[%block] : !tile.tile<f64>, memref<?xf64>
  tile.return
}

tile.kernel @sum_of_sums(%sums: memref<?xf64>, %total: memref<1xf64>)
    attributes {block = 256 : i64, grid = #one} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 1024 : index
  %n = memref.dim %sums, %c0 : memref<?xf64>
  %zero = arith.constant dense<0.0> : !tile.tile<1024xf64>
  %own = scf.for %i = %c0 to %n step %step
      iter_args(%sum = %zero) -> !tile.tile<1024xf64> {
    %v = tile.load %sums[%i] : memref<?xf64> -> !tile.tile<1024xf64>
    %next = arith.addf %sum, %v : !tile.tile<1024xf64>
    scf.yield %next : !tile.tile<1024xf64>
  }
  %sum = tile.reduce add %own : !tile.tile<1024xf64> to !tile.tile<f64>
  tile.store %sum, %total[%c0] : !tile.tile<f64>, memref<1xf64>
  tile.return
}
