// RUN: tile-opt %s -tile-carry-fragments -verify-diagnostics -split-input-file

#rows = #tile.shared<(16,32):(32,1), align = 16>
!buffer = memref<16x32xf16, #rows>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>

tile.kernel @no_tiling(%a: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %x = memref.alloc() : !buffer
  %y = memref.alloc() : memref<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>>
  %zero = arith.constant dense<0.0> : !acc
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> !acc {
    tile_gpu.copy_async %a[%c0, %k] to %x : memref<?x?xf16> to !buffer
    // expected-error @below {{expected a block size and a complete tiling (run -tile-warp-tiling before)}}
    %s = tile.matmul %x, %y, %acc : !buffer, memref<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>> -> !acc
    scf.yield %s : !acc
  }
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}

// -----

#rows = #tile.shared<(16,32):(32,1), align = 16>
!buffer = memref<16x32xf16, #rows>
!acc = !tile.tile<16x16xf32, #tile.register<((4,8),1,(2,2,2)):((2,16),0,(1,128,8)), box = [16, 16]>>

tile.kernel @no_block(%a: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %x = memref.alloc() : !buffer
  %y = memref.alloc() : memref<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>>
  %zero = arith.constant dense<0.0> : !acc
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> !acc {
    tile_gpu.copy_async %a[%c0, %k] to %x : memref<?x?xf16> to !buffer
    // expected-error @below {{expected a block size and a complete tiling (run -tile-warp-tiling before)}}
    %s = tile.matmul %x, %y, %acc tiling <warps = [1, 1], sub = [1, 2], atom = "m16n8k16"> : !buffer, memref<32x16xf16, #tile.shared<(32,16):(16,1), align = 16>> -> !acc
    scf.yield %s : !acc
  }
  tile.store %r, %d[%c0, %c0] : !acc, memref<?x?xf32>
  tile.return
}
