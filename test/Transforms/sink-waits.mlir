// RUN: tile-opt %s -tile-sink-waits | FileCheck %s

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
#tiling = #tile.tiling<warps = [4, 1], sub = [1, 8], atom = "m64nNk16">
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// The wait is moved after copies, their commit and arithmetic. It stays before uses of
// the accumulator and before a barrier.
// CHECK-LABEL: @behind_copies
// CHECK: tile_gpu.mma_async
// CHECK-NEXT: arith.addi
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: %[[SUM:.*]] = tile_gpu.mma_wait
// CHECK-NEXT: tile.store %[[SUM]],
tile.kernel @behind_copies(%x: memref<?x?xf16>, %z: memref<?x?xf32>, %v: f32, %i: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %next = memref.alloc() : !lhs
  %c = tile.fill %v : !sum
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  %j = arith.addi %i, %i : index
  tile_gpu.copy_async %x[%j, %c0] to %next : memref<?x?xf16> to !lhs
  nvvm.cp.async.commit.group
  tile.store %sum, %z[%c0, %c0] : !sum, memref<?x?xf32>
  tile.return
}

// CHECK-LABEL: @before_barrier
// CHECK: tile_gpu.mma_async
// CHECK-NEXT: tile_gpu.mma_wait
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile_gpu.copy_async
tile.kernel @before_barrier(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %c = tile.fill %v : !sum
  %d, %token = tile_gpu.mma_async %a, %b, %c tiling #tiling : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %token in_flight 0 of %d : !sum
  gpu.barrier
  tile_gpu.copy_async %x[%c0, %c0] to %a : memref<?x?xf16> to !lhs
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

!a = memref<64xf32, #tile.shared<(64):(1)>>

// There is no wait before the loop for a group for which the loop waits in its first
// iteration and, if the loop has no iteration, the kernel waits after it.
// CHECK-LABEL: @before_loop
// CHECK: tile_gpu.copy_async
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK: }
// CHECK-NEXT: nvvm.cp.async.wait.group 0
tile.kernel @before_loop(%x: memref<?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !a
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !a
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %b = memref.alloc() : !a
  tile_gpu.copy_async %x[%c0] to %b : memref<?xf32> to !a
  nvvm.cp.async.commit.group
  scf.for %i = %c0 to %n step %c1 {
    nvvm.cp.async.wait.group 1
    gpu.barrier
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// The wait stays before the loop if the loop may have no iteration, or leaves the group
// in flight in its first one. It leaves only the group committed in between in flight.
// CHECK-LABEL: @needed_before_loop
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: scf.for
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: scf.for
tile.kernel @needed_before_loop(%x: memref<?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !a
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !a
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %b = memref.alloc() : !a
  tile_gpu.copy_async %x[%c0] to %b : memref<?xf32> to !a
  nvvm.cp.async.commit.group
  scf.for %i = %c0 to %n step %c1 {
    nvvm.cp.async.wait.group 0
    gpu.barrier
  }
  gpu.barrier
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !a
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  scf.for %i = %c0 to %n step %c1 {
    nvvm.cp.async.wait.group 1
    gpu.barrier
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// A second wait for a group is removed if nothing reads between the two waits.
// CHECK-LABEL: @twice
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
tile.kernel @twice(%x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !a
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !a
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  %b = memref.alloc() : !a
  tile_gpu.copy_async %x[%c0] to %b : memref<?xf32> to !a
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  gpu.barrier
  tile.return
}
