// RUN: tile-opt %s -o %t
// RUN: tile-opt %s -tile-verify-synchronization | diff %t -

// Correct ways to synchronize, all of which are accepted. These programs with a mistake
// are in verify-synchronization-invalid.mlir.

#row = #tile.shared<(32):(1)>
#square = #tile.shared<(16,16):(16,1), swizzle = <1, 4, 3>>
!b = memref<32xf32, #row>
!stages2 = memref<2x32xf32, #row>
!stages3 = memref<3x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// Elements are written, then read by other threads.
tile.kernel @write_then_read(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  tile_gpu.store_shared %t, %a : !t, !b
  gpu.barrier
  %u = tile_gpu.load_shared %a : !b -> !t
  %w = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// Elements are read, then overwritten; the barrier need not be next to either access.
tile.kernel @read_then_overwrite(%v: f32, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 128 : i64} : !b
  %t = tile.fill %v : !t
  %u = tile_gpu.load_shared %a : !b -> !t
  tile_gpu.store_shared %t, %c : !t, !b
  gpu.barrier
  %w = tile_gpu.load_shared %c : !b -> !t
  tile_gpu.store_shared %t, %a : !t, !b
  tile.return
}

// Two buffers use the same bytes, and a barrier is between their accesses.
tile.kernel @reused_bytes(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 192 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 64 : i64} : !b
  %t = tile.fill %v : !t
  %u = tile_gpu.load_shared %a : !b -> !t
  gpu.barrier
  tile_gpu.store_shared %t, %c : !t, !b
  tile.return
}

// Adjacent bytes do not overlap.
tile.kernel @neighbours(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 128 : i64} : !b
  %t = tile.fill %v : !t
  tile_gpu.store_shared %t, %a : !t, !b
  tile_gpu.store_shared %t, %c : !t, !b
  tile.return
}

// A buffer in a loop: one barrier is after the write, one before the next write.
tile.kernel @scratch_in_a_loop(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.fill %v : !t
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
    gpu.barrier
    tile_gpu.store_shared %t, %a : !t, !b
    gpu.barrier
    %u = tile_gpu.load_shared %a : !b -> !t
  }
  tile.return
}

// With two alternating buffers, one barrier in each iteration is enough.
tile.kernel @two_buffers_in_turn(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %t = tile.fill %v : !t
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %n0) -> !tile_gpu.counter<2> {
    %stage = tile_gpu.stage %buffer[%at] : !stages2
    tile_gpu.store_shared %t, %stage : !t, !stage
    gpu.barrier
    %u = tile_gpu.load_shared %stage : !stage -> !t
    %next = tile_gpu.next %at : !tile_gpu.counter<2>
    scf.yield %next : !tile_gpu.counter<2>
  }
  tile.return
}

// A barrier on each side of a branch orders accesses before it and after it.
tile.kernel @barrier_on_both_sides(%c: i1, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  tile_gpu.store_shared %t, %a : !t, !b
  scf.if %c {
    gpu.barrier
    %u = tile_gpu.load_shared %a : !b -> !t
  } else {
    gpu.barrier
  }
  %w = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// Accesses on the two sides of a branch do not conflict.
tile.kernel @sides_of_a_branch(%c: i1, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  scf.if %c {
    tile_gpu.store_shared %t, %a : !t, !b
  } else {
    %w = tile_gpu.load_shared %a : !b -> !t
  }
  tile.return
}

// scf.while runs its two regions alternately.
tile.kernel @in_a_while(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  %r = scf.while (%i = %c0) : (index) -> index {
    gpu.barrier
    tile_gpu.store_shared %t, %a : !t, !b
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    gpu.barrier
    %u = tile_gpu.load_shared %a : !b -> !t
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  tile.return
}

// Regions of other operations may run in any order, any number of times.
tile.kernel @in_a_switch(%n: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  scf.index_switch %n
  case 0 {
    gpu.barrier
    tile_gpu.store_shared %t, %a : !t, !b
    gpu.barrier
    scf.yield
  }
  default {
    %u = tile_gpu.load_shared %a : !b -> !t
    scf.yield
  }
  tile.return
}

// The block's threads conflict in arrays, too.
tile.kernel @store_then_load_of_one_array(%x: memref<32xf32>, %y: memref<32xf32>, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !t
  tile.store %t, %x[%c0] : !t, memref<32xf32>
  %w = tile.load %y[%c0] : memref<32xf32> -> !t
  gpu.barrier
  %u = tile.load %x[%c0] : memref<32xf32> -> !t
  tile.return
}

// Views of an array are accesses to this array.
tile.kernel @views_of_arrays(%x: memref<8x4xf32>, %y: memref<32xf32>, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %turned = memref.transpose %x (m, n) -> (n, m) : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<8x4xf32> into memref<32xf32>
  %t = tile.fill %v : !t
  tile.store %t, %y[%c0] : !t, memref<32xf32>
  %u = tile.load %turned[%c0, %c0] : memref<4x8xf32, strided<[1, 4]>> -> !tile.tile<4x8xf32, #tile.register<((8,4),1,1):((1,8),0,0), box = [4, 8]>>
  gpu.barrier
  tile.store %t, %flat[%c0] : !t, memref<32xf32>
  tile.return
}

// A copy: commit, wait, barrier, read.
tile.kernel @copy_then_read(%x: memref<32xf32>) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  gpu.barrier
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// A wait for all but the newest group makes the older copy readable.
tile.kernel @older_group_first(%x: memref<32xf32>) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 128 : i64} : !b
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  nvvm.cp.async.commit.group
  tile_gpu.copy_async %x[%c0] to %c : memref<32xf32> to !b
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 1
  gpu.barrier
  %u = tile_gpu.load_shared %a : !b -> !t
  nvvm.cp.async.wait.group 0
  gpu.barrier
  %w = tile_gpu.load_shared %c : !b -> !t
  tile.return
}

// A circular buffer of three stages, with copies two iterations ahead. A wait leaves
// one copy in flight. The barrier after it also precedes the next write to a stage.
tile.kernel @three_stages(%x: memref<?xf32>, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 384 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<3>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<3>
  %n2 = tile_gpu.counter 2 : !tile_gpu.counter<3>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages3
  %s0 = tile_gpu.stage %buffer[%n0] : !stages3
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  nvvm.cp.async.commit.group
  %s1 = tile_gpu.stage %buffer[%n1] : !stages3
  tile_gpu.copy_async %x[%c32] to %s1 : memref<?xf32> to !stage
  nvvm.cp.async.commit.group
  %r:2 = scf.for %i = %c0 to %n step %c32 iter_args(%put = %n2, %get = %n0) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
    nvvm.cp.async.wait.group 1
    gpu.barrier
    %to = tile_gpu.stage %buffer[%put] : !stages3
    %more = arith.cmpi slt, %i, %n : index
    scf.if %more {
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    }
    nvvm.cp.async.commit.group
    %from = tile_gpu.stage %buffer[%get] : !stages3
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<3>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<3>
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<3>, !tile_gpu.counter<3>
  }
  nvvm.cp.async.wait.group 0
  tile.return
}

// A circular buffer that an outer loop fills again, after a barrier.
tile.kernel @buffers_in_a_loop(%x: memref<?xf32>, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %first = tile_gpu.stage %buffer[%n0] : !stages2
  scf.for %j = %c0 to %n step %c1 {
    gpu.barrier
    tile_gpu.copy_async %x[%j] to %first : memref<?xf32> to !stage
    nvvm.cp.async.commit.group
    %r:2 = scf.for %i = %c0 to %n step %c32 iter_args(%put = %n1, %get = %n0) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
      nvvm.cp.async.wait.group 0
      gpu.barrier
      %to = tile_gpu.stage %buffer[%put] : !stages2
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
      nvvm.cp.async.commit.group
      %from = tile_gpu.stage %buffer[%get] : !stages2
      %u = tile_gpu.load_shared %from : !stage -> !t
      scf.yield %get, %put : !tile_gpu.counter<2>, !tile_gpu.counter<2>
    }
    nvvm.cp.async.wait.group 0
  }
  tile.return
}

// A counter that is not known may address any stage: barriers are on both sides.
tile.kernel @unknown_stage(%x: memref<32xf32>, %s: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
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
  tile_gpu.store_shared %t, %stage : !t, !stage
  gpu.barrier
  %u = tile_gpu.load_shared %first : !stage -> !t
  tile.return
}

// A counter that is equal in both branches is known.
tile.kernel @stage_by_branch(%c: i1, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 256 : i64} {
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : !stages2
  %t = tile.fill %v : !t
  %first = tile_gpu.stage %buffer[%n0] : !stages2
  %at = scf.if %c -> !tile_gpu.counter<2> {
    tile_gpu.store_shared %t, %first : !t, !stage
    scf.yield %n1 : !tile_gpu.counter<2>
  } else {
    scf.yield %n1 : !tile_gpu.counter<2>
  }
  %second = tile_gpu.stage %buffer[%at] : !stages2
  tile_gpu.store_shared %t, %second : !t, !stage
  tile.return
}

// Views and transposes are accesses to the whole buffer.
tile.kernel @views(%i: index, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 1024 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<16x16xf32, #square>
  %t = tile.fill %v : !tile.tile<16x16xf32, #tile.register<((16,2),1,8):((1,16),0,32), box = [16, 16]>>
  tile_gpu.store_shared %t, %a : !tile.tile<16x16xf32, #tile.register<((16,2),1,8):((1,16),0,32), box = [16, 16]>>, memref<16x16xf32, #square>
  gpu.barrier
  %part = memref.subview %a[%i, 0] [8, 4] [1, 1] : memref<16x16xf32, #square> to memref<8x4xf32, strided<[16, 1], offset: ?>, #square>
  %turned = memref.transpose %part (m, n) -> (n, m) : memref<8x4xf32, strided<[16, 1], offset: ?>, #square> to memref<4x8xf32, strided<[1, 16], offset: ?>, #square>
  %u = tile_gpu.load_shared %turned : memref<4x8xf32, strided<[1, 16], offset: ?>, #square> -> !tile.tile<4x8xf32, #tile.register<((8,4),1,1):((1,8),0,0), box = [4, 8]>>
  tile.return
}

// A print of text orders nothing and accesses no memory.
tile.kernel @prints(%i: i32) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  gpu.printf "here %d\n", %i : i32
  gpu.printf "there %d\n", %i : i32
  tile.return
}

// A print of a tile reads the tile.
tile.kernel @prints_tiles(%v: f32) attributes {block = 32 : i64, tile.shared_bytes = 128 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  tile_gpu.store_shared %t, %a : !t, !b
  gpu.barrier
  tile.print "a", %a : !b
  %u = tile_gpu.load_shared %a : !b -> !t
  gpu.barrier
  tile_gpu.store_shared %t, %a : !t, !b
  tile.print "v", %v : f32
  tile.return
}

// An array that is read atomically may be written.
tile.kernel @atomic_accesses(%x: memref<32xf32>, %y: memref<32xf32>) attributes {block = 32 : i64, tile.shared_bytes = 0 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.atomic_load %x[%c0] : memref<32xf32> -> !t
  tile.atomic_store %t, %y[%c0] : !t, memref<32xf32>
  gpu.barrier
  tile.fence
  gpu.barrier
  tile.atomic_store %t, %x[%c0] : !t, memref<32xf32>
  tile.return
}

// The counters of a circular buffer continue from each run of the inner loop to the next.
// Where they stand there depends on the number of iterations.
tile.kernel @counters_continue(%x: memref<?xf32>, %m: index, %n: index) attributes {block = 32 : i64, tile.shared_bytes = 384 : i64} {
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
  tile_gpu.copy_async %x[%c1] to %s1 : memref<?xf32> to !stage
  nvvm.cp.async.commit.group
  %q:2 = scf.for %t = %c0 to %m step %c1 iter_args(%put0 = %n2, %get0 = %n0) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %put0, %get = %get0) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
      nvvm.cp.async.wait.group 1
      gpu.barrier
      %from = tile_gpu.stage %buffer[%get] : !stages3
      %u = tile_gpu.load_shared %from : !stage -> !t
      %to = tile_gpu.stage %buffer[%put] : !stages3
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
      nvvm.cp.async.commit.group
      %nextPut = tile_gpu.next %put : !tile_gpu.counter<3>
      %nextGet = tile_gpu.next %get : !tile_gpu.counter<3>
      scf.yield %nextPut, %nextGet : !tile_gpu.counter<3>, !tile_gpu.counter<3>
    }
    scf.yield %r#0, %r#1 : !tile_gpu.counter<3>, !tile_gpu.counter<3>
  }
  nvvm.cp.async.wait.group 0
  tile.return
}
