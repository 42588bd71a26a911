// RUN: tile-opt %s -tile-insert-barriers | FileCheck %s

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// A proxy fence precedes a matmul, after the barrier that makes the copied
// bytes visible.
// CHECK-LABEL: @copied
// CHECK: tile_gpu.wait
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: tile_gpu.mma_async
// CHECK-NEXT: tile_gpu.mma_wait
// A buffer may be written when all threads have waited for the matmul that reads it.
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile_gpu.copy_async
tile.kernel @copied(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %second = tile_gpu.next %fill : !tile_gpu.counter<1>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  %channel = tile_gpu.channel %a : !lhs -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  tile_gpu.commit %channel[%second] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%second] : !tile_gpu.channel<1>
  tile.return
}

// Other bytes may be written while the matmul runs.
// CHECK-LABEL: @other_bytes
// CHECK: tile_gpu.mma_async
// CHECK-NEXT: tile_gpu.channel
// CHECK-NEXT: tile_gpu.copy_async
tile.kernel @other_bytes(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %n = memref.alloc() {tile.shared_offset = 8192 : i64} : !lhs
  %c = tile.fill %v : !sum
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %channel = tile_gpu.channel %n : !lhs -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %n : memref<?x?xf16> to !lhs
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  tile.return
}
