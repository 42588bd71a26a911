// Adds to 256 counts how often each of the values 0 to 255 occurs in an array of any
// size. A block takes 4096 values and atomically adds one to the count of each. Values
// without a count are dropped, such as the -1 that a load returns after the end of the
// array.

#grid = #tile.grid<affine_map<(n) -> (n ceildiv 4096)> of [[0, 0]]>

tile.kernel @histogram(%values: memref<?xi32>, %counts: memref<256xi32>)
    attributes {block = 256 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %size = arith.constant 4096 : index
  %outside = arith.constant -1 : i32
  %block = tile.program_id x
  %start = arith.muli %block, %size : index
  %v = tile.load %values[%start] pad %outside
      : memref<?xi32> -> !tile.tile<4096xi32>
  %one = arith.constant dense<1> : !tile.tile<4096xi32>
  tile.scatter %one, %counts[%c0] at %v axis 0 atomic add
      : !tile.tile<4096xi32>, memref<256xi32>, !tile.tile<4096xi32>
  tile.return
}
