// RUN: tile-opt %s -o %t
// RUN: tile-opt %s -tile-verify-synchronization | diff %t -

// Operands and accumulators of matmuls in flight are accessed in a correct order.

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// The threads that write the operands execute the fence, before the barrier.
tile.kernel @fence_of_writers(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  gpu.barrier
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}

// The threads that multiply execute the fence, after the barrier.
tile.kernel @fence_of_readers(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  gpu.barrier
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}

// Two matmuls are in flight: the wait completes the older one when the newer is issued.
tile.kernel @older_first(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  %s, %first = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %older = tile_gpu.mma_wait %first in_flight 1 of %s : !sum
  %n = arith.negf %older : !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}

// A matmul continues with the accumulators of a matmul in flight, also in a branch.
tile.kernel @added_to(%z: memref<?x?xf32>, %v: f32, %holds: i1) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  %s, %first = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %r:2 = scf.if %holds -> (!sum, !tile.mma_token) {
    %d, %token = tile_gpu.mma_async %a, %b, %s tiling #tiling : !lhs, !rhs -> !sum
    scf.yield %d, %token : !sum, !tile.mma_token
  } else {
    scf.yield %s, %first : !sum, !tile.mma_token
  }
  %sum = tile_gpu.mma_wait %r#1 in_flight 0 of %r#0 : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}
