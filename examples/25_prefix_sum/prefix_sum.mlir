// Computes the sum up to each element of an array of any length, by three kernels: the
// sum of each block of 2048 elements; the sum of all blocks before each block; and the
// sum up to each element, starting from the sum of the blocks before its block.

#blocks = #tile.grid<affine_map<(n) -> (n ceildiv 2048)> of [[0, 0]]>
#one = #tile.grid<affine_map<() -> (1)> of []>

tile.kernel @block_sums(%x: memref<?xf32>, %sums: memref<?xf32>)
    attributes {block = 256 : i64, grid = #blocks} {
  %size = arith.constant 2048 : index
  %block = tile.program_id x
  %i = arith.muli %block, %size : index
  %t = tile.load %x[%i] : memref<?xf32> -> !tile.tile<2048xf32>
  %s = tile.reduce add %t : !tile.tile<2048xf32> to !tile.tile<f32>
  tile.store %s, %sums[%block] : !tile.tile<f32>, memref<?xf32>
  tile.return
}

// One block takes 1024 sums at a time, and carries the sum of all sums before them.
tile.kernel @sums_before(%sums: memref<?xf32>, %before: memref<?xf32>)
    attributes {block = 256 : i64, grid = #one} {
  %c0 = arith.constant 0 : index
  %size = arith.constant 1024 : index
  %count = memref.dim %sums, %c0 : memref<?xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<f32>
  %all = scf.for %i = %c0 to %count step %size iter_args(%carry = %zero)
      -> (!tile.tile<f32>) {
    %t = tile.load %sums[%i] : memref<?xf32> -> !tile.tile<1024xf32>
    %s = tile.scan add %t exclusive : !tile.tile<1024xf32>
    %c = tile.broadcast %carry : !tile.tile<f32> to !tile.tile<1024xf32>
    %r = arith.addf %c, %s : !tile.tile<1024xf32>
    tile.store %r, %before[%i] : !tile.tile<1024xf32>, memref<?xf32>
    %sum = tile.reduce add %t : !tile.tile<1024xf32> to !tile.tile<f32>
    %next = arith.addf %carry, %sum : !tile.tile<f32>
    scf.yield %next : !tile.tile<f32>
  }
  tile.return
}

tile.kernel @prefix_sum(%x: memref<?xf32>, %before: memref<?xf32>,
                        %y: memref<?xf32>)
    attributes {block = 256 : i64, grid = #blocks} {
  %size = arith.constant 2048 : index
  %block = tile.program_id x
  %i = arith.muli %block, %size : index
  %t = tile.load %x[%i] : memref<?xf32> -> !tile.tile<2048xf32>
  %s = tile.scan add %t : !tile.tile<2048xf32>
  %b = tile.load %before[%block] : memref<?xf32> -> !tile.tile<f32>
  %c = tile.broadcast %b : !tile.tile<f32> to !tile.tile<2048xf32>
  %r = arith.addf %c, %s : !tile.tile<2048xf32>
  tile.store %r, %y[%i] : !tile.tile<2048xf32>, memref<?xf32>
  tile.return
}
