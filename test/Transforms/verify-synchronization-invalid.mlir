// RUN: tile-opt %s -tile-verify-synchronization -verify-diagnostics -split-input-file

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// There is no barrier between a write and its readers.
tile.kernel @write_then_read(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the write of shared bytes [0, 128)}}
  tile_gpu.store_shared %t, %a : !t, !b
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 128) and this read of shared bytes [0, 128), got a path without one}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The bytes are overwritten while other threads may still read them.
tile.kernel @read_then_overwrite(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the read of shared bytes [0, 128)}}
  %u = tile_gpu.load_shared %a : !b -> !t
  // expected-error @below {{expected a barrier between the read of shared bytes [0, 128) and this write of shared bytes [0, 128), got a path without one}}
  tile_gpu.store_shared %t, %a : !t, !b
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// Two writes are unordered: which value remains is unspecified.
tile.kernel @write_then_write(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the write of shared bytes [0, 128)}}
  tile_gpu.store_shared %t, %a : !t, !b
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 128) and this write of shared bytes [0, 128), got a path without one}}
  tile_gpu.store_shared %t, %a : !t, !b
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The next iteration writes bytes that this one may still read.
tile.kernel @loop_carried_write(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{in the next iteration of this loop}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{expected a barrier between the read of shared bytes [0, 128) and this write of shared bytes [0, 128), got a path without one}}
    tile_gpu.store_shared %t, %a : !t, !b
    gpu.barrier
    // expected-note @below {{the read of shared bytes [0, 128)}}
    %u = tile_gpu.load_shared %a : !b -> !t
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!stages2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A loop uses two alternating buffers, one of them twice in a row.
tile.kernel @wrong_turn(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %t = tile.fill %v : !t
  // expected-note @below {{in the next iteration of this loop}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %n0) -> !tile_gpu.counter<2> {
    %stage = tile_gpu.stage %buffer[%at] : !stages2
    // expected-error @below {{expected a barrier between the read of shared bytes [128, 256) and this write of shared bytes [128, 256), got a path without one}}
    tile_gpu.store_shared %t, %stage : !t, !stage
    gpu.barrier
    // expected-note @below {{the read of shared bytes [128, 256)}}
    %u = tile_gpu.load_shared %stage : !stage -> !t
    scf.yield %n1 : !tile_gpu.counter<2>
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The second buffer overlaps the first.
tile.kernel @reused_bytes(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 192 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 64 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the read of shared bytes [0, 128)}}
  %u = tile_gpu.load_shared %a : !b -> !t
  // expected-error @below {{expected a barrier between the read of shared bytes [0, 128) and this write of shared bytes [64, 192), got a path without one}}
  tile_gpu.store_shared %t, %c : !t, !b
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// Only one side of a branch has the barrier.
tile.kernel @barrier_on_one_side(%c: i1, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the write of shared bytes [0, 128)}}
  tile_gpu.store_shared %t, %a : !t, !b
  // expected-note @below {{where this condition does not hold}}
  scf.if %c {
    gpu.barrier
  }
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 128) and this read of shared bytes [0, 128), got a path without one}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The other side of the branch has no barrier either.
tile.kernel @barrier_on_the_other_side(%c: i1, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the write of shared bytes [0, 128)}}
  tile_gpu.store_shared %t, %a : !t, !b
  // expected-note @below {{where this condition holds}}
  scf.if %c {
    // expected-error @below {{expected a barrier between the write of shared bytes [0, 128) and this read of shared bytes [0, 128), got a path without one}}
    %w = tile_gpu.load_shared %a : !b -> !t
  } else {
    gpu.barrier
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The barrier is in a loop that may have no iteration.
tile.kernel @barrier_in_a_loop(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the write of shared bytes [0, 128)}}
  tile_gpu.store_shared %t, %a : !t, !b
  // expected-note @below {{after the end of this loop}}
  scf.for %i = %c0 to %n step %c1 {
    gpu.barrier
  }
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 128) and this read of shared bytes [0, 128), got a path without one}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// scf.while runs its second region, then the first one again.
tile.kernel @in_a_while(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{in the next iteration of this loop}}
  %r = scf.while (%i = %c0) : (index) -> index {
    // expected-error @below {{expected a barrier between the read of shared bytes [0, 128) and this write of shared bytes [0, 128), got a path without one}}
    tile_gpu.store_shared %t, %a : !t, !b
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    gpu.barrier
    // expected-note @below {{the read of shared bytes [0, 128)}}
    %u = tile_gpu.load_shared %a : !b -> !t
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  tile.return
}

// -----

!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// An array is written and read by different threads.
tile.kernel @array(%x: memref<32xf32>, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !t
  // expected-note @below {{the write of an array}}
  tile.store %t, %x[%c0] : !t, memref<32xf32>
  // expected-error @below {{expected a barrier between the write of an array and this read of an array, got a path without one}}
  %u = tile.load %x[%c0] : memref<32xf32> -> !t
  tile.return
}

// -----

!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The access is to one of two arrays; which one is known only at run time.
tile.kernel @array_by_choice(%x: memref<32xf32>, %y: memref<32xf32>, %c: i1, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %z = arith.select %c, %x, %y : memref<32xf32>
  %t = tile.fill %v : !t
  // expected-note @below {{the write of an array}}
  tile.store %t, %z[%c0] : !t, memref<32xf32>
  // expected-error @below {{expected a barrier between the write of an array and this read of an array, got a path without one}}
  %u = tile.load %x[%c0] : memref<32xf32> -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The wait is missing.
tile.kernel @wait_missing(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-error @below {{expected the copy to shared bytes [0, 128) to be waited for before this read of shared bytes [0, 128), got a path that leaves it in flight}}
  %u = tile_gpu.load_shared %a : !b -> !t
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The wait is for an older group.
tile.kernel @wait_for_an_older_group(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{this wait may leave its group in flight}}
  nvvm.cp.async.wait.group 1
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-error @below {{expected the copy to shared bytes [0, 128) to be waited for before this read of shared bytes [0, 128), got a path that leaves it in flight}}
  %u = tile_gpu.load_shared %a : !b -> !t
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The commit is missing, so the wait is for an empty group.
tile.kernel @commit_missing(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{this wait may leave its group in flight}}
  nvvm.cp.async.wait.group 0
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-error @below {{expected the copy to shared bytes [0, 128) to be committed and waited for before this read of shared bytes [0, 128), got a path without a commit}}
  %u = tile_gpu.load_shared %a : !b -> !t
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The commit is before the copy.
tile.kernel @commit_before_copy(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  nvvm.cp.async.commit.group
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{this wait may leave its group in flight}}
  nvvm.cp.async.wait.group 0
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-error @below {{expected the copy to shared bytes [0, 128) to be committed and waited for before this read of shared bytes [0, 128), got a path without a commit}}
  %u = tile_gpu.load_shared %a : !b -> !t
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The barrier precedes the wait, so other threads' copies may still be in flight.
tile.kernel @barrier_before_wait(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-note @below {{waited for here}}
  nvvm.cp.async.wait.group 0
  // expected-error @below {{expected a barrier between the wait for the copy to shared bytes [0, 128) and this read of shared bytes [0, 128), got a path without one}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>

// Two copies write the same bytes.
tile.kernel @copy_over_copy(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-error @below {{expected the copy to shared bytes [0, 128) to be committed and waited for before this copy to shared bytes [0, 128), got a path without a commit}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A copy is issued while other threads may still read.
tile.kernel @copy_over_read(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the read of shared bytes [0, 128)}}
  %u = tile_gpu.load_shared %a : !b -> !t
  // expected-error @below {{expected a barrier between the read of shared bytes [0, 128) and this copy to shared bytes [0, 128), got a path without one}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// An array is written before the wait for a copy that reads it.
tile.kernel @copy_from_a_written_array(%x: memref<?xf32>, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the copy from an array}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-error @below {{expected the copy from an array to be waited for before this write of an array, got a path that leaves it in flight}}
  tile.store %t, %x[%c0] : !t, memref<?xf32>
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The wait is only in one branch.
tile.kernel @wait_on_one_side(%x: memref<?xf32>, %c: i1) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{where this condition does not hold}}
  scf.if %c {
    nvvm.cp.async.wait.group 0
  }
  // expected-note @below {{a barrier orders nothing in flight}}
  gpu.barrier
  // expected-error @below {{expected the copy to shared bytes [0, 128) to be waited for before this read of shared bytes [0, 128), got a path that leaves it in flight}}
  %u = tile_gpu.load_shared %a : !b -> !t
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>

// A copy is still in flight at the end of the kernel.
tile.kernel @copy_at_the_end(%x: memref<?xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-error @below {{expected every copy to be waited for before the kernel ends, got a copy to shared bytes [0, 128) in flight}}
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!stages2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A circular buffer lacks its barrier: other threads do not see copies for which a
// thread has waited, and the stage to be written next may still be read.
tile.kernel @buffers_without_barrier(%x: memref<?xf32>, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %s0 = tile_gpu.stage %buffer[%n0] : !stages2
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{in the next iteration of this loop (2 times)}}
  // expected-note @below {{in the next iteration of this loop}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %n1, %get = %n0) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
    // expected-note @below {{waited for here}}
    nvvm.cp.async.wait.group 0
    %to = tile_gpu.stage %buffer[%put] : !stages2
    // expected-error @below {{expected a barrier between the wait for the copy to shared bytes [0, 128) and this copy to shared bytes [0, 128), got a path without one}}
    // expected-error @below {{expected a barrier between the read of shared bytes [0, 128) and this copy to shared bytes [0, 128), got a path without one}}
    // expected-note @below {{the copy to shared bytes [128, 256)}}
    // expected-error @below {{expected a barrier between the wait for the copy to shared bytes [128, 256) and this copy to shared bytes [128, 256), got a path without one}}
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    // expected-note @below {{committed here}}
    nvvm.cp.async.commit.group
    %from = tile_gpu.stage %buffer[%get] : !stages2
    // expected-error @below {{expected a barrier between the wait for the copy to shared bytes [0, 128) and this read of shared bytes [0, 128), got a path without one}}
    // expected-note @below {{the read of shared bytes [0, 128)}}
    // expected-error @below {{expected a barrier between the wait for the copy to shared bytes [128, 256) and this read of shared bytes [128, 256), got a path without one}}
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<2>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<2>
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<2>, !tile_gpu.counter<2>
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!stages2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A circular buffer of two stages whose wait leaves the newest group in flight.
tile.kernel @buffers_wait_for_too_little(%x: memref<?xf32>, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %s0 = tile_gpu.stage %buffer[%n0] : !stages2
  // expected-note @below {{the copy to shared bytes [0, 128)}}
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{in the next iteration of this loop}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %n1, %get = %n0) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
    // expected-note @below {{this wait may leave its group in flight}}
    nvvm.cp.async.wait.group 1
    // expected-note @below {{a barrier orders nothing in flight}}
    gpu.barrier
    %to = tile_gpu.stage %buffer[%put] : !stages2
    // expected-note @below {{the copy to shared bytes [128, 256)}}
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    // expected-note @below {{committed here}}
    nvvm.cp.async.commit.group
    %from = tile_gpu.stage %buffer[%get] : !stages2
    // expected-error @below {{expected the copy to shared bytes [0, 128) to be waited for before this read of shared bytes [0, 128), got a path that leaves it in flight}}
    // expected-error @below {{expected the copy to shared bytes [128, 256) to be waited for before this read of shared bytes [128, 256), got a path that leaves it in flight}}
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<2>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<2>
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<2>, !tile_gpu.counter<2>
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!stages2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// Copies run two iterations ahead in a circular buffer of two stages.
tile.kernel @one_stage_too_few(%x: memref<?xf32>, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %s0 = tile_gpu.stage %buffer[%n0] : !stages2
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  nvvm.cp.async.commit.group
  %s1 = tile_gpu.stage %buffer[%n1] : !stages2
  tile_gpu.copy_async %x[%c0] to %s1 : memref<?xf32> to !stage
  nvvm.cp.async.commit.group
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %n0, %get = %n0) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
    nvvm.cp.async.wait.group 1
    gpu.barrier
    %to = tile_gpu.stage %buffer[%put] : !stages2
    // expected-note @below {{the copy to shared bytes [0, 128)}}
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    // expected-note @below {{committed here}}
    nvvm.cp.async.commit.group
    %from = tile_gpu.stage %buffer[%get] : !stages2
    // expected-error @below {{expected the copy to shared bytes [0, 128) to be waited for before this read of shared bytes [0, 128), got a path that leaves it in flight}}
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<2>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<2>
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<2>, !tile_gpu.counter<2>
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!stages2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A counter that is known only at run time may address any stage.
tile.kernel @unknown_stage(%s: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %n = scf.index_switch %s -> !tile_gpu.counter<2>
  case 0 {
    scf.yield %n0 : !tile_gpu.counter<2>
  }
  default {
    scf.yield %n1 : !tile_gpu.counter<2>
  }
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %stage = tile_gpu.stage %buffer[%n] : !stages2
  %first = tile_gpu.stage %buffer[%n0] : !stages2
  %t = tile.fill %v : !t
  // expected-note @below {{the write of shared bytes [0, 128)}}
  tile_gpu.store_shared %t, %first : !t, !stage
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 128) and this read of shared bytes [0, 256), got a path without one}}
  %u = tile_gpu.load_shared %stage : !stage -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A buffer beyond the kernel's bytes belongs to another block.
tile.kernel @beyond_the_kernel(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 16 : i64} : !b
  %t = tile.fill %v : !t
  // expected-error @below {{expected an access inside the kernel's 128 bytes of shared memory (from tile.shared_bytes), got a write of shared bytes [16, 144)}}
  tile_gpu.store_shared %t, %a : !t, !b
  tile.return
}

// -----

!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// All elements of a buffer are in the same bytes, which several threads write.
tile.kernel @not_injective(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<32xf32, #tile.shared<(32):(0)>>
  %t = tile.fill %v : !t
  // expected-error @below {{expected a layout that gives each element bytes of its own where a buffer is written, got two in the same}}
  tile_gpu.store_shared %t, %a : !t, memref<32xf32, #tile.shared<(32):(0)>>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>

// A buffer without an offset is an error.
tile.kernel @not_allocated(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  // expected-error @below {{expected a buffer with a place in shared memory (tile.shared_offset, from -tile-allocate-shared), got none}}
  %a = memref.alloc() : !b
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>

// An undecided layout and a dynamic number of stages are errors, too.
tile.kernel @not_decided(%n: index) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  // expected-error @below {{expected a buffer with a place in shared memory (tile.shared_offset, from -tile-allocate-shared), got none}}
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<32xf32, #tile.shared>
  // expected-error @below {{expected a buffer with a place in shared memory (tile.shared_offset, from -tile-allocate-shared), got none}}
  %c = memref.alloc(%n) {tile.shared_offset = 0 : i64} : memref<?x32xf32, #row>
  // expected-error @below {{expected a buffer with a place in shared memory (tile.shared_offset, from -tile-allocate-shared), got none}}
  %e = memref.alloc() {tile.shared_offset = -128 : i64} : memref<32xf32, #row>
  // expected-error @below {{expected an operation that the proof of synchronization knows, got 'memref.load'}}
  %v = memref.load %a[%n] : memref<32xf32, #tile.shared>
  memref.store %v, %e[%n] : memref<32xf32, #row>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>

// Waits for fills of channels must have become waits for groups.
tile.kernel @channel() attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // expected-error @below {{expected groups of copies instead of channels (from -tile-count-groups), got 'tile_gpu.channel'}}
  tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile.return
}

// -----

// An operation that may synchronize threads or distinguish them is refused.
tile.kernel @unknown_operation() attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  // expected-error @below {{expected an operation that the proof of synchronization knows, got 'gpu.thread_id'}}
  %i = gpu.thread_id x
  tile.return
}

// -----

// A region that threads run concurrently is refused.
tile.kernel @parallel(%n: index) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  // expected-error @below {{expected an operation that the proof of synchronization knows, got 'scf.forall'}}
  scf.forall (%i) in (%n) {
  }
  tile.return
}

// -----

// Branches that are not structured control flow are refused.
tile.kernel @several_blocks() attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  // expected-error @below {{expected structured control flow, got a region of several blocks}}
  scf.execute_region {
    cf.br ^next
  ^next:
    scf.yield
  }
  tile.return
}

// -----

func.func private @other(f32)

// A call may have any effect, so it is refused; phase 1 inlines calls.
tile.kernel @call(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  // expected-error @below {{expected an operation that the proof of synchronization knows, got 'func.call'}}
  func.call @other(%v) : (f32) -> ()
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// The thread that prints reads elements that others wrote.
tile.kernel @write_then_print(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // expected-note @below {{the write of shared bytes [0, 128)}}
  tile_gpu.store_shared %t, %a : !t, !b
  // expected-error @below {{expected a barrier between the write of shared bytes [0, 128) and this read of shared bytes [0, 128), got a path without one}}
  tile.print "a", %a : !b
  tile.return
}

// -----

// All threads of the block meet directly before a release and directly after an acquire.
tile.kernel @release_and_acquire() attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  // expected-error @below {{expected a barrier directly before a release, got none}}
  tile.fence release
  // expected-error @below {{expected a barrier directly after an acquire, got none}}
  tile.fence acquire
  tile.return
}

// -----

!t = !tile.tile<32xf32, #tile.register<(32,2,1):(1,0,0), box = [32]>>

// A barrier of each warp does not make the block meet.
tile.kernel @release_after_warps(%x: memref<32xf32>, %v: f32) attributes {block = 64 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %all = arith.constant -1 : i32
  %t = tile.fill %v : !t
  nvvm.bar.warp.sync %all : i32
  // expected-error @below {{expected a barrier directly before a release, got none}}
  tile.atomic_store %t, %x[%c0] order release : !t, memref<32xf32>
  tile.return
}

// -----

#row = #tile.shared<(8,32):(32,1)>

// A buffer has the bytes of its layout, even if its type has more rows or columns.
tile.kernel @larger_than_the_box() attributes {block = 32 : i64, tile.shared_bytes = 8192 : i64} {
  // expected-error @below {{expected a buffer, or stages of a circular buffer, within the box [8, 32] of its layout, got 'memref<64x32xf32, #tile.shared<(8,32):(32,1)>>'}}
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<64x32xf32, #row>
  // expected-error @below {{expected a buffer, or stages of a circular buffer, within the box [8, 32] of its layout, got 'memref<4x8x33xf32, #tile.shared<(8,32):(32,1)>>'}}
  %b = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x8x33xf32, #row>
  // expected-error @below {{expected a buffer, or stages of a circular buffer, within the box [8, 32] of its layout, got 'memref<32xf32, #tile.shared<(8,32):(32,1)>>'}}
  %c = memref.alloc() {tile.shared_offset = 0 : i64} : memref<32xf32, #row>
  %d = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x8x32xf32, #row>
  %e = memref.alloc() {tile.shared_offset = 0 : i64} : memref<7x31xf32, #row>
  tile.return
}

// -----

!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!u = !tile.tile<32xf32, #tile.register<(32,2,1):(1,0,0), box = [32]>>

// The layout is distributed over all warps of the block.
tile.kernel @fewer_warps_than_the_block(%v: f32) attributes {block = 64 : i64, tile.shared_bytes = 128 : i64} {
  // expected-error @below {{expected a layout of 2 warps (the block's), got 1 in #tile.register<(32,1,1):(1,0,0), box = [32]>}}
  %t = tile.fill %v : !t
  %u = tile.fill %v : !u
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!stages3 = memref<3x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// Between two runs of the inner loop, the counter of the reads advances by one more than
// that of the copies, so that a stage is read whose copy is in flight.
tile.kernel @counters_skip(%x: memref<?xf32>, %m: index, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 384 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<3>
  %n2 = tile_gpu.counter 2 : !tile_gpu.counter<3>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages3
  %s0 = tile_gpu.stage %buffer[%n0] : !stages3
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  nvvm.cp.async.commit.group
  %n1 = tile_gpu.next %n0 : !tile_gpu.counter<3>
  %s1 = tile_gpu.stage %buffer[%n1] : !stages3
  // expected-note @below {{the copy to shared bytes [128, 256)}}
  tile_gpu.copy_async %x[%c1] to %s1 : memref<?xf32> to !stage
  // expected-note @below {{committed here}}
  nvvm.cp.async.commit.group
  // expected-note @below {{in the next iteration of this loop}}
  %q:2 = scf.for %t = %c0 to %m step %c1 iter_args(%put0 = %n2, %get0 = %n0) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
    // expected-note @below {{in the next iteration of this loop}}
    // expected-note @below {{after the end of this loop}}
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %put0, %get = %get0) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
      // expected-note @below {{this wait may leave its group in flight}}
      nvvm.cp.async.wait.group 1
      // expected-note @below {{a barrier orders nothing in flight}}
      gpu.barrier
      %from = tile_gpu.stage %buffer[%get] : !stages3
      // expected-error @below {{expected the copy to shared bytes [256, 384) to be waited for before this read of shared bytes [256, 384), got a path that leaves it in flight}}
      // expected-note @below {{the read of shared bytes [0, 128)}}
      // expected-error @below {{expected the copy to shared bytes [128, 256) to be waited for before this read of shared bytes [128, 256), got a path that leaves it in flight}}
      %u = tile_gpu.load_shared %from : !stage -> !t
      %to = tile_gpu.stage %buffer[%put] : !stages3
      // expected-note @below {{the copy to shared bytes [256, 384)}}
      // expected-error @below {{expected a barrier between the read of shared bytes [0, 128) and this copy to shared bytes [0, 128), got a path without one}}
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
      // expected-note @below {{committed here}}
      nvvm.cp.async.commit.group
      %nextPut = tile_gpu.next %put : !tile_gpu.counter<3>
      %nextGet = tile_gpu.next %get : !tile_gpu.counter<3>
      scf.yield %nextPut, %nextGet : !tile_gpu.counter<3>, !tile_gpu.counter<3>
    }
    %skipped = tile_gpu.next %r#1 : !tile_gpu.counter<3>
    scf.yield %r#0, %skipped : !tile_gpu.counter<3>, !tile_gpu.counter<3>
  }
  nvvm.cp.async.wait.group 0
  tile.return
}
