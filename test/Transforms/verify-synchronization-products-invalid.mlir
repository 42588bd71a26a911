// RUN: tile-opt %s -tile-verify-synchronization -verify-diagnostics -split-input-file

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// The proxy fence is missing: the barrier orders the copy before generic reads, but the
// matmul reads by the async proxy.
tile.kernel @no_proxy_fence(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the copy to shared bytes [0, 4096)}}
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{waited for here}}
  nvvm.cp.async.wait.group 0
  gpu.barrier
  // expected-error @below {{expected a proxy fence between the wait for the copy to shared bytes [0, 4096) and this product's read of shared bytes [0, 4096), got a path without one}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

// The proxy fence precedes the wait for the copy.
tile.kernel @early_proxy_fence(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the copy to shared bytes [0, 4096)}}
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // expected-note @below {{waited for here}}
  nvvm.cp.async.wait.group 0
  gpu.barrier
  // expected-error @below {{expected a proxy fence between the wait for the copy to shared bytes [0, 4096) and this product's read of shared bytes [0, 4096), got a path without one}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

// This kind of proxy fence does not make writes visible to the async proxy.
tile.kernel @other_proxy_fence(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the copy to shared bytes [0, 4096)}}
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{waited for here}}
  nvvm.cp.async.wait.group 0
  gpu.barrier
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  // expected-error @below {{expected a proxy fence between the wait for the copy to shared bytes [0, 4096) and this product's read of shared bytes [0, 4096), got a path without one}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

// A fence does not replace the barrier.
tile.kernel @fence_without_barrier(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the copy to shared bytes [0, 4096)}}
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{waited for here}}
  nvvm.cp.async.wait.group 0
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // expected-error @below {{expected a barrier between the wait for the copy to shared bytes [0, 4096) and this product's read of shared bytes [0, 4096), got a path without one}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

// An operand is written while the matmul may read it: a barrier does not wait for it.
tile.kernel @written_in_flight(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the product's read of shared bytes [0, 4096)}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-error @below {{expected the product's read of shared bytes [0, 4096) to be waited for before this copy to shared bytes [0, 4096), got a path that leaves it in flight}}
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

// A thread's wait covers only its part of the matmul: a barrier after it is missing.
tile.kernel @written_without_barrier(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the product's read of shared bytes [0, 4096)}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  // expected-note @below {{waited for here}}
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  // expected-error @below {{expected a barrier between the wait for the product's read of shared bytes [0, 4096) and this copy to shared bytes [0, 4096), got a path without one}}
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

// Accumulators are read before the wait, or after it but not through its results.
tile.kernel @accumulators_read(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the product}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  // expected-error @below {{expected accumulators to be read of the results of a wait for their product, got a read of what it adds to}}
  %n = arith.negf %d : !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

tile.kernel @accumulators_read_as_they_were(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the product}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  // expected-note @below {{waited for here}}
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  // expected-error @below {{expected accumulators to be read of the results of a wait for their product, got a read of what it adds to}}
  tile.store %d, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

// The wait leaves the newest matmul in flight, and this is the one that is needed.
tile.kernel @wait_for_an_older_product(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the product}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  // expected-error @below {{expected this wait to be for the product, got a path that leaves it in flight}}
  // expected-note @below {{this wait may leave its group in flight}}
  %sum = tile_gpu.mma_wait %token in_flight 1 of %d : !sum
  tile_gpu.mma_wait %token in_flight 0
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
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

tile.kernel @no_wait(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  // expected-note @below {{the product's read of shared bytes [0, 4096)}}
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  // expected-error @below {{expected every product to be waited for before the kernel ends, got a product's read of shared bytes [0, 4096) in flight}}
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

// A matmul that a loop carries is in flight after the loop.
tile.kernel @carried(%z: memref<?x?xf32>, %v: f32, %n: index) attributes {block = 128 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !lhs
  %b = memref.alloc() {tile.shared_offset = 4096 : i64} : !rhs
  %c = tile.fill %v : !sum
  %none = tile_gpu.mma_none
  // expected-note @below {{in the next iteration of this loop}}
  // expected-note @below {{after the end of this loop}}
  %r:2 = scf.for %i = %c0 to %n step %n iter_args(%acc = %c, %before = %none) -> (!sum, !tile.mma_token) {
    // expected-note @below {{the product}}
    %d, %token = tile_gpu.mma_async %a, %b, %acc tiling #tiling : !lhs, !rhs -> !sum
    // expected-note @below {{this wait may leave its group in flight}}
    tile_gpu.mma_wait %before in_flight 1
    scf.yield %d, %token : !sum, !tile.mma_token
  }
  // expected-error @below {{expected accumulators to be read of the results of a wait for their product, got a read of what it adds to}}
  tile.store %r#0, %z[%c0, %c0] : !sum, memref<?x?xf32>
  %sum = tile_gpu.mma_wait %r#1 in_flight 0 of %r#0 : !sum
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

// The circular buffer has three stages: the copies write to the stage of the previous
// iteration, whose matmul is in flight.
tile.kernel @stage_in_flight(%x: memref<?x?xf16>, %v: f32, %n: index) attributes {block = 128 : i64, tile.shared_bytes = 20480 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<3>
  %n2 = tile_gpu.counter 2 : !tile_gpu.counter<3>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : memref<3x64x32xf16, #lhs>
  %b = memref.alloc() {tile.shared_offset = 12288 : i64} : !rhs
  %c = tile.fill %v : !sum
  %none = tile_gpu.mma_none
  // expected-note @below {{in the next iteration of this loop}}
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c, %before = %none, %get = %n0, %put = %n2) -> (!sum, !tile.mma_token, !tile_gpu.counter<3>, !tile_gpu.counter<3>) {
    nvvm.cp.async.wait.group 1
    // expected-note @below {{a barrier orders nothing in flight}}
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    %from = tile_gpu.stage %buffer[%get] : memref<3x64x32xf16, #lhs>
    // expected-note @below {{the product's read of shared bytes [0, 4096)}}
    %d, %token = tile_gpu.mma_async %from, %b, %acc tiling #tiling : memref<64x32xf16, strided<[32, 1], offset: ?>, #lhs>, !rhs -> !sum
    %to = tile_gpu.stage %buffer[%put] : memref<3x64x32xf16, #lhs>
    // expected-error @below {{expected the product's read of shared bytes [0, 4096) to be waited for before this copy to shared bytes [0, 4096), got a path that leaves it in flight}}
    tile_gpu.copy_async %x[%c0, %i] to %to : memref<?x?xf16> to memref<64x32xf16, strided<[32, 1], offset: ?>, #lhs>
    nvvm.cp.async.commit.group
    // expected-note @below {{this wait may leave its group in flight}}
    tile_gpu.mma_wait %before in_flight 1
    %next = tile_gpu.next %get : !tile_gpu.counter<3>
    %nput = tile_gpu.next %put : !tile_gpu.counter<3>
    scf.yield %d, %token, %next, %nput : !sum, !tile.mma_token, !tile_gpu.counter<3>, !tile_gpu.counter<3>
  }
  nvvm.cp.async.wait.group 0
  %sum = tile_gpu.mma_wait %r#1 in_flight 0 of %r#0 : !sum
  tile.return
}
