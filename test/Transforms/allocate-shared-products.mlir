// RUN: tile-opt %s -tile-allocate-shared | FileCheck %s

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// The operands of an asynchronous matmul keep their bytes until its wait, although
// other buffers are used before the wait.
// CHECK-LABEL: @until_the_wait
// CHECK-SAME: tile.shared_bytes = 12288
tile.kernel @until_the_wait(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
  // CHECK: memref.alloc() {tile.shared_offset = 4096 : i64}
  // CHECK: memref.alloc() {tile.shared_offset = 8192 : i64}
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %n = memref.alloc() : !lhs
  %c = tile.fill %v : !sum
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %channel = tile_gpu.channel %n : !lhs -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %n : memref<?x?xf16> to !lhs
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.return
}

// They also keep their bytes if a loop yields the token, whose wait is after the loop.
// CHECK-LABEL: @behind_the_loop
// CHECK-SAME: tile.shared_bytes = 12288
tile.kernel @behind_the_loop(%x: memref<?x?xf16>, %v: f32, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  // CHECK: memref.alloc() {tile.shared_offset = 0 : i64}
  // CHECK: memref.alloc() {tile.shared_offset = 4096 : i64}
  // CHECK: memref.alloc() {tile.shared_offset = 8192 : i64}
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %n = memref.alloc() : !lhs
  %c = tile.fill %v : !sum
  %none = tile_gpu.mma_none
  %r:2 = scf.for %k = %c0 to %i step %i iter_args(%acc = %c, %before = %none) -> (!sum, !tile.mma_token) {
    %d, %token = tile_gpu.mma_async %a, %b, %acc tiling #tiling : !lhs, !rhs -> !sum
    tile_gpu.mma_wait %before in_flight 1
    scf.yield %d, %token : !sum, !tile.mma_token
  }
  %channel = tile_gpu.channel %n : !lhs -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %n : memref<?x?xf16> to !lhs
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  %sum = tile_gpu.mma_wait %r#1 in_flight 0 of %r#0 : !sum
  tile.return
}
