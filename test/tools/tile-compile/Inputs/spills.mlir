// A thread holds 512 elements, which are used twice.
!t = !tile.tile<256x256xf32>
tile.kernel @normalize(%x: memref<?x?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !t
  %most = tile.reduce max %a axis 0 keep : !t to !tile.tile<1x256xf32>
  %all = tile.broadcast %most : !tile.tile<1x256xf32> to !t
  %d = arith.subf %a, %all : !t
  tile.store %d, %x[%c0, %c0] : !t, memref<?x?xf32>
  tile.return
}
