// y = 2 x from i on, through shared memory.
module attributes {tile.target = "sm_90a"} {
  tile.kernel @scale(%x: memref<64xf32, strided<[?]>>, %y: memref<32xf32, strided<[?]>>, %i: index) attributes {block = 64 : i64} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] in_bounds : memref<64xf32, strided<[?]>> -> !tile.tile<64xf32>
    %u = arith.addf %t, %t : !tile.tile<64xf32>
    %v = tile.view %u[%i] : !tile.tile<64xf32> to !tile.tile<32xf32>
    tile.store %v, %y[%c0] in_bounds : !tile.tile<32xf32>, memref<32xf32, strided<[?]>>
    tile.return
  }
}
