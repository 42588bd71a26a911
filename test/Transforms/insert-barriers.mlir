// RUN: tile-opt %s -tile-insert-barriers | FileCheck %s

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,2,1):(1,0,0), box = [32]>>

// Straight-line code has one barrier between a write and a read, and none between reads.
// CHECK-LABEL: @write_then_reads
tile.kernel @write_then_reads(%v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: tile.return
  tile_gpu.store_shared %t, %a : !t, !b
  %u = tile_gpu.load_shared %a : !b -> !t
  %w = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// Accesses to different bytes need no barrier.
// CHECK-LABEL: @other_bytes
tile.kernel @other_bytes(%v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 128 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NEXT: tile.return
  tile_gpu.store_shared %t, %a : !t, !b
  tile_gpu.store_shared %t, %c : !t, !b
  tile.return
}

// Two buffers that share bytes conflict in them.
// CHECK-LABEL: @reused_bytes
tile.kernel @reused_bytes(%v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %c = memref.alloc() {tile.shared_offset = 64 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.load_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.store_shared
  %u = tile_gpu.load_shared %a : !b -> !t
  tile_gpu.store_shared %t, %c : !t, !b
  tile.return
}

// A barrier that the program contains counts.
// CHECK-LABEL: @counts_the_programs_barriers
tile.kernel @counts_the_programs_barriers(%v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  tile_gpu.store_shared %t, %a : !t, !b
  gpu.barrier
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// A buffer that a loop reuses needs a barrier after the write, and one before
// the next iteration's write.
// CHECK-LABEL: @scratch_in_a_loop
tile.kernel @scratch_in_a_loop(%n: index, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.fill %v : !t
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
    tile_gpu.store_shared %t, %a : !t, !b
    %u = tile_gpu.load_shared %a : !b -> !t
  }
  tile.return
}

// Accesses in a branch are separated before the branch, once for both sides.
// CHECK-LABEL: @before_a_branch
tile.kernel @before_a_branch(%c: i1, %v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  tile_gpu.store_shared %t, %a : !t, !b
  scf.if %c {
    %u = tile_gpu.load_shared %a : !b -> !t
  } else {
    %u = tile_gpu.load_shared %a : !b -> !t
  }
  tile.return
}

// A barrier that one branch needs anyway also orders it after earlier accesses.
// CHECK-LABEL: @barrier_of_the_side
tile.kernel @barrier_of_the_side(%c: i1, %v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %d = memref.alloc() {tile.shared_offset = 128 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  tile_gpu.store_shared %t, %a : !t, !b
  scf.if %c {
    tile_gpu.store_shared %t, %d : !t, !b
    %u = tile_gpu.load_shared %d : !b -> !t
    %w = tile_gpu.load_shared %a : !b -> !t
  }
  tile.return
}

// So does a barrier that a loop in the branch needs from its second iteration on.
// CHECK-LABEL: @barrier_of_a_loop_in_the_side
tile.kernel @barrier_of_a_loop_in_the_side(%c: i1, %n: index, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.load_shared
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK: tile.return
  %u = tile_gpu.load_shared %a : !b -> !t
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      tile_gpu.store_shared %t, %a : !t, !b
    }
  }
  tile.return
}

// After the branches, accesses of both count as executed.
// CHECK-LABEL: @after_a_branch
tile.kernel @after_a_branch(%c: i1, %v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: scf.if
  // CHECK: tile_gpu.store_shared
  // CHECK: }
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  scf.if %c {
    tile_gpu.store_shared %t, %a : !t, !b
  }
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// scf.while: its regions run repeatedly.
// CHECK-LABEL: @in_a_while
tile.kernel @in_a_while(%n: index, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: scf.while
  // CHECK: gpu.barrier
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK: scf.condition
  // CHECK: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  // CHECK: scf.yield
  %r = scf.while (%i = %c0) : (index) -> index {
    tile_gpu.store_shared %t, %a : !t, !b
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %u = tile_gpu.load_shared %a : !b -> !t
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  tile.return
}

// Accesses of a block's threads to arrays conflict too: a store, then a load of its elements.
// CHECK-LABEL: @store_then_load_of_one_array
tile.kernel @store_then_load_of_one_array(%x: memref<32xf32>, %y: memref<32xf32>, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !t
  // CHECK: tile.store
  // CHECK-NEXT: tile.load %{{.*}} : memref<32xf32> -> {{.*}}
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  tile.store %t, %x[%c0] : !t, memref<32xf32>
  %w = tile.load %y[%c0] : memref<32xf32> -> !t
  %u = tile.load %x[%c0] : memref<32xf32> -> !t
  tile.return
}

// An array under another shape is the same array.
// CHECK-LABEL: @array_of_another_shape
tile.kernel @array_of_another_shape(%x: memref<4x8xf32>, %y: memref<32xf32>, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %t = tile.fill %v : !t
  // CHECK: tile.store
  // CHECK-NEXT: tile.load %{{.*}} : memref<32xf32> -> {{.*}}
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  tile.store %t, %flat[%c0] : !t, memref<32xf32>
  %w = tile.load %y[%c0] : memref<32xf32> -> !t
  %u = tile.load %x[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32, #tile.register<((8,4),1,1):((1,8),0,0), box = [4, 8]>>
  tile.return
}

// A transposed array is the same array, too; a transposed different array is not.
// CHECK-LABEL: @transposed_array
tile.kernel @transposed_array(%x: memref<4x8xf32>, %y: memref<32xf32>, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %turned = memref.transpose %x (m, n) -> (n, m) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %t = tile.fill %v : !t
  // CHECK: tile.store
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.return
  tile.store %t, %y[%c0] : !t, memref<32xf32>
  %u = tile.load %turned[%c0, %c0] : memref<8x4xf32, strided<[1, 8]>> -> !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  tile.return
}

// A select between arrays may be any of them.
// CHECK-LABEL: @array_by_choice
tile.kernel @array_by_choice(%x: memref<32xf32>, %y: memref<32xf32>, %c: i1, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %either = arith.select %c, %x, %y : memref<32xf32>
  %t = tile.fill %v : !t
  // CHECK: tile.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  tile.store %t, %either[%c0] : !t, memref<32xf32>
  %u = tile.load %y[%c0] : memref<32xf32> -> !t
  tile.return
}

// The loop exchanges its two arrays in each iteration.
// CHECK-LABEL: @arrays_in_turn
tile.kernel @arrays_in_turn(%x: memref<32xf32>, %y: memref<32xf32>, %n: index) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.store
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%from = %x, %to = %y) -> (memref<32xf32>, memref<32xf32>) {
    %u = tile.load %from[%c0] : memref<32xf32> -> !t
    tile.store %u, %to[%c0] : !t, memref<32xf32>
    scf.yield %to, %from : memref<32xf32>, memref<32xf32>
  }
  tile.return
}

// A circular buffer keeps its stages through an inner loop: a copy to the next
// stage needs no barrier before a read of this one.
// CHECK-LABEL: @buffers_around_a_loop
tile.kernel @buffers_around_a_loop(%x: memref<?xf32>, %n: index) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : memref<2x32xf32, #row>
  %channel = tile_gpu.channel %buffer : memref<2x32xf32, #row> -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %buffer[%n0] : memref<2x32xf32, #row>
  // CHECK: tile_gpu.copy_async
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK-NEXT: tile_gpu.copy_async
  // CHECK: tile_gpu.load_shared
  // CHECK: scf.for
  // CHECK-NOT: gpu.barrier
  // CHECK: tile_gpu.load_shared
  // CHECK-NOT: gpu.barrier
  // CHECK: tile.return
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %n1, %get = %n0) -> (!tile_gpu.counter<2>, !tile_gpu.counter<2>) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %buffer[%put] : memref<2x32xf32, #row>
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %buffer[%get] : memref<2x32xf32, #row>
    %u = tile_gpu.load_shared %from : !stage -> !t
    scf.for %j = %c0 to %n step %c1 {
      tile_gpu.wait %channel[%put] : !tile_gpu.channel<2>
    }
    %w = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<2>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<2>
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<2>, !tile_gpu.counter<2>
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// A copy is published by the wait of its thread, then a barrier.
// CHECK-LABEL: @publishes_copies_after_the_wait
tile.kernel @publishes_copies_after_the_wait(%x: memref<32xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  // CHECK: tile_gpu.wait
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.load_shared
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// The thread that prints reads elements that others wrote.
// CHECK-LABEL: @print_between_writes
tile.kernel @print_between_writes(%v: f32) attributes {block = 64 : i64} {
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.store_shared
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.print
  // CHECK-NEXT: tile.print
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.store_shared
  // CHECK-NEXT: tile.print
  // CHECK-NEXT: tile.return
  tile_gpu.store_shared %t, %a : !t, !b
  tile.print "written", %a : !b
  tile.print "again", %a : !b
  tile_gpu.store_shared %t, %a : !t, !b
  tile.print "a scalar", %v : f32
  tile.return
}

// Atomic accesses to one array need a barrier in between, whatever their layouts are.
// CHECK-LABEL: @atomic_accesses
tile.kernel @atomic_accesses(%x: memref<32xf32>, %y: memref<32xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: tile.atomic_load
  // CHECK-NEXT: tile.atomic_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.atomic_store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  %t = tile.atomic_load %x[%c0] : memref<32xf32> -> !t
  tile.atomic_store %t, %y[%c0] : !t, memref<32xf32>
  tile.atomic_store %t, %x[%c0] : !t, memref<32xf32>
  %u = tile.load %x[%c0] : memref<32xf32> -> !t
  tile.return
}

// A barrier does not order reads of an array by a copy in flight: the array is written
// after a wait for the copy and then a barrier.
// CHECK-LABEL: @write_of_what_was_copied
tile.kernel @write_of_what_was_copied(%x: memref<32xf32>, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %t = tile.fill %v : !t
  // CHECK: tile_gpu.copy_async
  // CHECK: tile_gpu.commit
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile_gpu.wait
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.store
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  gpu.barrier
  tile_gpu.wait %channel[%fill] : !tile_gpu.channel<1>
  tile.store %t, %x[%c0] : !t, memref<32xf32>
  tile.return
}

// All threads meet before a release and after an acquire. A barrier that is there already
// serves.
// CHECK-LABEL: @releases_and_acquires
tile.kernel @releases_and_acquires(%x: memref<32xf32>, %y: memref<32xf32>, %v: f32) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !t
  // CHECK: tile.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.atomic_store {{.*}} order release
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.atomic_load {{.*}} order acquire
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.fence
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.fence
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.return
  tile.store %t, %x[%c0] : !t, memref<32xf32>
  tile.atomic_store %t, %y[%c0] order release : !t, memref<32xf32>
  %a = tile.atomic_load %y[%c0] order acquire : memref<32xf32> -> !t
  %u = tile.load %x[%c0] : memref<32xf32> -> !t
  tile.fence
  gpu.barrier
  tile.fence
  tile.return
}

// The lanes of a block of one warp meet at a barrier of the warp.
// CHECK-LABEL: @release_of_one_warp
tile.kernel @release_of_one_warp() attributes {block = 32 : i64} {
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NEXT: tile.fence
  // CHECK-NEXT: tile.return
  tile.fence release
  tile.return
}

// The positions of a counter that scf.while carries are not known: the wait is for all
// copies of the channel.
// CHECK-LABEL: @unknown_positions
tile.kernel @unknown_positions(%x: memref<?xf32>, %c: i1) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %buffer = memref.alloc() {tile.shared_offset = 0 : i64} : memref<2x32xf32, #row>
  %channel = tile_gpu.channel %buffer : memref<2x32xf32, #row> -> !tile_gpu.channel<2>
  // CHECK: scf.while
  %r = scf.while (%at = %n0) : (!tile_gpu.counter<2>) -> !tile_gpu.counter<2> {
    scf.condition(%c) %at : !tile_gpu.counter<2>
  } do {
  ^bb0(%at: !tile_gpu.counter<2>):
    // CHECK: gpu.barrier
    // CHECK-NEXT: tile_gpu.copy_async
    // CHECK: tile_gpu.wait
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile_gpu.load_shared
    %to = tile_gpu.stage %buffer[%at] : memref<2x32xf32, #row>
    tile_gpu.copy_async %x[%c0] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%at] : !tile_gpu.channel<2>
    tile_gpu.wait %channel[%at] : !tile_gpu.channel<2>
    %u = tile_gpu.load_shared %to : !stage -> !t
    %next = tile_gpu.next %at : !tile_gpu.counter<2>
    scf.yield %next : !tile_gpu.counter<2>
  }
  tile.return
}
