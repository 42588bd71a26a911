// RUN: tile-opt %s -tile-insert-barriers -verify-diagnostics -split-input-file

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// A barrier does not order a matmul that is still in flight.
tile.kernel @written_in_flight(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  // expected-error @below {{expected the product that reads this buffer to be waited for before the buffer is written}}
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  tile.return
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// A matmul may read copied bytes only after a wait for the copy.
tile.kernel @copied_in_flight(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  %channel = tile_gpu.channel %a : !lhs -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  // expected-error @below {{expected the copy into this buffer to be waited for before the buffer is accessed}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  tile.return
}
