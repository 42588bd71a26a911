// Each warp exchanges elements between its lanes: once; in a loop, where the
// next iteration overwrites bytes that this one reads; and next to an exchange by
// all warps in the same bytes, which needs barriers of the block.

!rows = !tile.tile<1024xf32, #tile.register<(32,4,8):(8,256,1), box = [1024]>>
!strides = !tile.tile<1024xf32, #tile.register<(32,4,8):(1,256,32), box = [1024]>>
!across = !tile.tile<1024xf32, #tile.register<(32,4,8):(1,32,128), box = [1024]>>

tile.kernel @once(%x: memref<?xf32>, %y: memref<?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<?xf32> -> !rows
  %b = tile.convert_layout %a : !rows to !strides
  %c = math.absf %b : !strides
  tile.store %c, %y[%c0] : !strides, memref<?xf32>
  tile.return
}

tile.kernel @loop(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = tile.fill %zero : !strides
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none) -> (!strides) {
    %a = tile.load %x[%i] : memref<?xf32> -> !rows
    %b = tile.convert_layout %a : !rows to !strides
    %c = arith.addf %s, %b : !strides
    scf.yield %c : !strides
  }
  tile.store %sum, %y[%c0] : !strides, memref<?xf32>
  tile.return
}

tile.kernel @beside_others(%x: memref<?xf32>, %y: memref<?xf32>) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<?xf32> -> !rows
  %b = tile.convert_layout %a : !rows to !strides
  %c = math.absf %b : !strides
  %d = tile.convert_layout %c : !strides to !across
  %e = arith.negf %d : !across
  tile.store %e, %y[%c0] : !across, memref<?xf32>
  tile.return
}
