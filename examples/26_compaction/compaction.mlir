// Stores the elements of an array that exceed a limit, contiguous and in order. Each
// block counts its kept elements. The counts of earlier blocks give the block's offset;
// the count of kept elements before an element in its block is the position after it.

#blocks = #tile.grid<affine_map<(n) -> (n ceildiv 1024)> of [[0, 0]]>
#one = #tile.grid<affine_map<() -> (1)> of []>

func.func private @is_kept(%x: memref<?xf32>, %limit: f32)
    -> (!tile.tile<1024xf32>, !tile.tile<1024xi1>) {
  %size = arith.constant 1024 : index
  %block = tile.program_id x
  %i = arith.muli %block, %size : index
  // Loads after the end of the array return the limit, which is not kept.
  %t = tile.load %x[%i] pad %limit : memref<?xf32> -> !tile.tile<1024xf32>
  %limits = tile.fill %limit : !tile.tile<1024xf32>
  %kept = arith.cmpf ogt, %t, %limits : !tile.tile<1024xf32>
  return %t, %kept : !tile.tile<1024xf32>, !tile.tile<1024xi1>
}

tile.kernel @count(%x: memref<?xf32>, %limit: f32, %counts: memref<?xi32>)
    attributes {block = 128 : i64, grid = #blocks} {
  %block = tile.program_id x
  %t, %kept = func.call @is_kept(%x, %limit)
      : (memref<?xf32>, f32) -> (!tile.tile<1024xf32>, !tile.tile<1024xi1>)
  %one = tile.cast %kept : !tile.tile<1024xi1> to !tile.tile<1024xi32>
  %count = tile.reduce add %one : !tile.tile<1024xi32> to !tile.tile<i32>
  tile.store %count, %counts[%block] : !tile.tile<i32>, memref<?xi32>
  tile.return
}

tile.kernel @counts_before(%counts: memref<?xi32>, %before: memref<?xi32>)
    attributes {block = 256 : i64, grid = #one} {
  %c0 = arith.constant 0 : index
  %size = arith.constant 1024 : index
  %blocks = memref.dim %counts, %c0 : memref<?xi32>
  %none = arith.constant 0 : i32
  %all = scf.for %i = %c0 to %blocks step %size iter_args(%carry = %none)
      -> (i32) {
    %t = tile.load %counts[%i] : memref<?xi32> -> !tile.tile<1024xi32>
    %s = tile.scan add %t exclusive : !tile.tile<1024xi32>
    %c = tile.fill %carry : !tile.tile<1024xi32>
    %r = arith.addi %c, %s : !tile.tile<1024xi32>
    tile.store %r, %before[%i] : !tile.tile<1024xi32>, memref<?xi32>
    %sum = tile.reduce add %t : !tile.tile<1024xi32> to !tile.tile<i32>
    %added = tile.extract %sum[] : !tile.tile<i32>
    %next = arith.addi %carry, %added : i32
    scf.yield %next : i32
  }
  tile.return
}

tile.kernel @compact(%x: memref<?xf32>, %limit: f32, %before: memref<?xi32>,
                     %y: memref<?xf32>)
    attributes {block = 128 : i64, grid = #blocks} {
  %c0 = arith.constant 0 : index
  %block = tile.program_id x
  %t, %kept = func.call @is_kept(%x, %limit)
      : (memref<?xf32>, f32) -> (!tile.tile<1024xf32>, !tile.tile<1024xi1>)
  %one = tile.cast %kept : !tile.tile<1024xi1> to !tile.tile<1024xi32>
  %place = tile.scan add %one exclusive : !tile.tile<1024xi32>
  %b = tile.load %before[%block] : memref<?xi32> -> !tile.tile<i32>
  %begin = tile.broadcast %b : !tile.tile<i32> to !tile.tile<1024xi32>
  %at = arith.addi %begin, %place : !tile.tile<1024xi32>
  tile.scatter %t, %y[%c0] at %at axis 0 mask %kept : !tile.tile<1024xi1>
      : !tile.tile<1024xf32>, memref<?xf32>, !tile.tile<1024xi32>
  tile.return
}
