// A lane has 32 elements, and needs one element of every other lane: this takes
// too many shuffles to be faster than shared memory.
tile.kernel @transpose(%x: memref<32x32xf32>, %y: memref<32x32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<32x32xf32> -> !tile.tile<32x32xf32>
  %b = math.absf %a : !tile.tile<32x32xf32>
  %t = tile.transpose %b [1, 0] : !tile.tile<32x32xf32> to !tile.tile<32x32xf32>
  tile.store %t, %y[%c0, %c0] : !tile.tile<32x32xf32>, memref<32x32xf32>
  tile.return
}
