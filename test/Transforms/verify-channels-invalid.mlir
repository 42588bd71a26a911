// RUN: tile-opt %s -tile-order-fills -tile-verify-channels -verify-diagnostics -split-input-file

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Nothing waits for the copy.
tile.kernel @wait_missing(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  // expected-error @below {{expected a read of a fill that is full, got one that may be in flight}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile_gpu.drain %channel : !tile_gpu.channel<1>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The copy is never committed.
tile.kernel @commit_missing(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  // expected-error @below {{expected a copy to a fill that is acquired or uncommitted, got one that may be empty}}
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  // expected-error @below {{expected a wait for a fill that is in flight or full, got one that may be uncommitted}}
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The commit comes before the copy.
tile.kernel @commit_before_copy(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  // expected-error @below {{expected a commit of a fill that is uncommitted, got one that may be acquired}}
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  // expected-error @below {{expected a copy to a fill that is acquired or uncommitted, got one that may be in flight}}
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  // expected-error @below {{expected a wait for a fill that is in flight or full, got one that may be uncommitted}}
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A fill is committed twice.
tile.kernel @commit_twice(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  // expected-error @below {{expected an acquire of a fill that is empty, got one that may be in flight}}
  // expected-error @below {{expected a commit of a fill that is uncommitted, got one that may be acquired}}
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The stage is read before anything fills it.
tile.kernel @read_of_nothing(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  // expected-error @below {{expected a read of a fill that is full, got one that may be empty}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Only one side of a branch fills the stage.
tile.kernel @fill_on_one_side(%x: memref<32xf32>, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  scf.if %c {
    tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  }
  // expected-error @below {{expected a wait for a fill that is in flight or full, got one that may be empty}}
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Threads store to a stage that copies may still write.
tile.kernel @store_in_flight(%x: memref<32xf32>, %v: f32) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  %t = tile.fill %v : !t
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  // expected-error @below {{expected a store to a fill that is empty or full, got one that may be in flight}}
  tile_gpu.store_shared %t, %a : !t, !b
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The copies write the stage that the loop reads.
tile.kernel @copies_to_the_stage_read(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n0, %get = %n0) -> (!n, !n) {
    // expected-error @below {{expected a wait for a fill that is in flight or full, got one that may be empty}}
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    // expected-error @below {{expected an acquire of a fill that is empty, got one that may be full}}
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    // expected-error @below {{expected a read of a fill that is full, got one that may be in flight}}
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %nextPut, %nextGet : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The loop reads the stage after the one that was filled.
tile.kernel @reads_the_next_stage(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a release of a fill that is empty or full, got one that may be in flight}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n1) -> (!n, !n) {
    // expected-error @below {{expected a wait for a fill that is in flight or full, got one that may be empty}}
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    // expected-error @below {{expected an acquire of a fill that is empty, got one that may be full}}
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    // expected-error @below {{expected a read of a fill that is full, got one that may be in flight}}
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %nextPut, %nextGet : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A counter is not carried: it is the same in all iterations.
tile.kernel @counter_constant(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    // expected-note @below {{the use of a counter}}
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %put, %nextGet : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Outside of the loop, the loop's counters have advanced, and the constant has not.
tile.kernel @constant_after_the_loop(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %nextPut, %nextGet : !n, !n
  }
  // expected-note @below {{the use of a counter}}
  %last = tile_gpu.stage %a[%n1] : !b2
  %w = tile_gpu.load_shared %last : !stage -> !t
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A view of all stages is not a stage.
tile.kernel @all_stages(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%n0] : !tile_gpu.channel<2>
  %whole = memref.subview %a[0, 0] [1, 32] [1, 1] : !b2 to memref<32xf32, strided<[1]>, #row>
  // expected-error @below {{expected an access to one stage of a channel's buffer, got one to the whole buffer}}
  %w = tile_gpu.load_shared %whole : memref<32xf32, strided<[1]>, #row> -> !t
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A successor that was computed before the loop is old after it.
tile.kernel @old_successor(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.next %n0 : !n
  %n2 = tile_gpu.next %n1 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %s0 = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%n0] : !tile_gpu.channel<2>
  %p = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1) -> !n {
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.wait %channel[%put] : !tile_gpu.channel<2>
    %next = tile_gpu.next %put : !n
    scf.yield %next : !n
  }
  // expected-note @below {{the use of a counter}}
  %s2 = tile_gpu.stage %a[%n2] : !b2
  %u = tile_gpu.load_shared %s2 : !stage -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The result of the first loop is old after the second.
tile.kernel @old_result(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.next %n0 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %s0 = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%n0] : !tile_gpu.channel<2>
  %p = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1) -> !n {
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.wait %channel[%put] : !tile_gpu.channel<2>
    %next = tile_gpu.next %put : !n
    scf.yield %next : !n
  }
  %q = scf.for %i = %c0 to %k step %c1 iter_args(%put = %p) -> !n {
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.wait %channel[%put] : !tile_gpu.channel<2>
    %next = tile_gpu.next %put : !n
    scf.yield %next : !n
  }
  // expected-note @below {{the use of a counter}}
  %s2 = tile_gpu.stage %a[%p] : !b2
  %u = tile_gpu.load_shared %s2 : !stage -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The argument of the outer loop is old after the inner one.
tile.kernel @old_argument(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.next %n0 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %s0 = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%n0] : !tile_gpu.channel<2>
  %q = scf.for %j = %c0 to %k step %c1 iter_args(%tile = %n1) -> !n {
    %p = scf.for %i = %c0 to %k step %c1 iter_args(%put = %tile) -> !n {
      %to = tile_gpu.stage %a[%put] : !b2
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
      tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
      tile_gpu.wait %channel[%put] : !tile_gpu.channel<2>
      %next = tile_gpu.next %put : !n
      scf.yield %next : !n
    }
  // expected-note @below {{the use of a counter}}
    %s2 = tile_gpu.stage %a[%tile] : !b2
    scf.yield %p : !n
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Loops that advance two counters by different distances.
tile.kernel @unequal(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.next %n0 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n0, %get = %n0) -> (!n, !n) {
    // expected-note @below {{the use of a counter}}
    %to = tile_gpu.stage %a[%put] : !b2
    %from = tile_gpu.stage %a[%get] : !b2
    %next = tile_gpu.next %put : !n
    %second = tile_gpu.next %next : !n
    scf.yield %next, %second : !n, !n
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The counter is carried by another loop than scf.for.
tile.kernel @in_a_while(%c: i1) attributes {block = 32 : i64} {
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.next %n0 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %r = scf.while (%at = %n0) : (!n) -> !n {
    scf.condition(%c) %at : !n
  } do {
  ^bb0(%at: !n):
    // expected-note @below {{the use of a counter}}
    %s = tile_gpu.stage %a[%at] : !b2
    %next = tile_gpu.next %at : !n
    scf.yield %next : !n
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Only one side of a branch creates and fills the channel.
tile.kernel @channel_on_one_side(%x: memref<32xf32>, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  scf.if %c {
    %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
    tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
    tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  }
  // expected-error @below {{expected a read of a fill that is full, got one that may be empty}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The stage holds fill 2, and fill 0 is read.
tile.kernel @read_of_an_older_fill(%x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.next %n0 : !n
  %n2 = tile_gpu.next %n1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %s0 = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%n0] : !tile_gpu.channel<2>
  %s2 = tile_gpu.stage %a[%n2] : !b2
  tile_gpu.copy_async %x[%c0] to %s2 : memref<?xf32> to !stage
  // expected-error @below {{expected an acquire of a stage whose other fill is empty, got one that may be full}}
  tile_gpu.commit %channel[%n2] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%n2] : !tile_gpu.channel<2>
  // expected-error @below {{expected a read of a fill that is full, got one that may be empty}}
  %u = tile_gpu.load_shared %s0 : !stage -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A fill is overwritten while its copies are in flight.
tile.kernel @overwritten_in_flight(%x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.next %n0 : !n
  %n2 = tile_gpu.next %n1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %s0 = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %s0 : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %s2 = tile_gpu.stage %a[%n2] : !b2
  tile_gpu.copy_async %x[%c0] to %s2 : memref<?xf32> to !stage
  // expected-error @below {{expected an acquire of a stage whose other fill is empty, got one that may be in flight}}
  tile_gpu.commit %channel[%n2] : !tile_gpu.channel<2>
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// One of the two buffers is not copied to.
tile.kernel @half_a_fill(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %channel = tile_gpu.channel %a, %b : !b, !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  // expected-error @below {{expected a commit of a fill that is uncommitted, got one that may be acquired}}
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The channel is created again while its copies are in flight.
tile.kernel @created_in_flight(%x: memref<32xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  scf.for %i = %c0 to %k step %c1 {
    // expected-error @below {{expected the copies of the channel to be waited for before it is created again}}
    %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
    tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A buffer belongs to one channel.
tile.kernel @two_channels(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  // expected-error @below {{expected buffers of one channel, got one that belongs to a channel already}}
  %other = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The buffers of a channel with stages are allocations, not views of them.
tile.kernel @channel_of_a_view() attributes {block = 32 : i64} {
  %a = memref.alloc() : !b2
  %view = memref.cast %a : !b2 to !b2
  // expected-error @below {{expected allocations as the buffers of a channel, got a buffer that is none}}
  %channel = tile_gpu.channel %view : !b2 -> !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// So are those of which stages are taken.
tile.kernel @stage_of_a_view(%n: index) attributes {block = 32 : i64} {
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  %view = memref.cast %a : !b2 to !b2
  // expected-error @below {{expected a stage of an allocation, got one of another buffer}}
  %s = tile_gpu.stage %view[%n0] : !b2
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The stack of a thread is not shared memory.
tile.kernel @alloca() attributes {block = 32 : i64} {
  %a = memref.alloca() : !b2
  // expected-error @below {{expected allocations as the buffers of a channel, got a buffer that is none}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A channel is chosen at run time.
tile.kernel @chosen_channel(%c: i1) attributes {block = 32 : i64} {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %ofA = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  %ofB = tile_gpu.channel %b : !b -> !tile_gpu.channel<1>
  // expected-error @below {{expected drains and operations on fills as the users of a channel, got 'arith.select'}}
  %either = arith.select %c, %ofA, %ofB : !tile_gpu.channel<1>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A region of several blocks is not structured control flow.
tile.kernel @several_blocks() attributes {block = 32 : i64} {
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  // expected-error @below {{expected structured control flow, got a region of several blocks}}
  scf.execute_region {
    cf.br ^next
  ^next:
    scf.yield
  }
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// The view of a stage is old after a loop that advances its counter.
tile.kernel @old_stage(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  // expected-error @below {{expected a channel whose counters are carried by loops that advance all of them alike, got counters whose distance is not known}}
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %s0 = tile_gpu.stage %a[%n0] : !b2
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n0) -> !n {
    %next = tile_gpu.next %at : !n
    scf.yield %next : !n
  }
  %to = tile_gpu.stage %a[%r] : !b2
  tile_gpu.copy_async %x[%c0] to %to : memref<?xf32> to !stage
  tile_gpu.commit %channel[%r] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%r] : !tile_gpu.channel<2>
  // expected-note @below {{the use of a counter}}
  %u = tile_gpu.load_shared %s0 : !stage -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Which buffer is read is not known.
tile.kernel @chosen_buffer(%x: memref<?xf32>, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %s0 = tile_gpu.stage %a[%n0] : !b2
  // expected-error @below {{expected accesses to a channel's buffer and views of it, got 'arith.select'}}
  %s = arith.select %c, %s0, %s0 : !stage
  %u = tile_gpu.load_shared %s : !stage -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A drain is not a commit.
tile.kernel @drain_of_uncommitted(%x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  // expected-error @below {{expected a copy to a fill that is acquired or uncommitted, got one that may be empty}}
  tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
  // expected-error @below {{expected a drain of fills that were committed, got one that may be uncommitted}}
  tile_gpu.drain %channel : !tile_gpu.channel<1>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A loop that advances by three overwrites fills in flight.
tile.kernel @advance_by_three(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n0) -> !n {
    %to = tile_gpu.stage %a[%at] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    // expected-error @below {{expected an acquire of a stage whose other fill is empty, got one that may be in flight}}
    tile_gpu.commit %channel[%at] : !tile_gpu.channel<2>
    %next = tile_gpu.next %at : !n
    %second = tile_gpu.next %next : !n
    %third = tile_gpu.next %second : !n
    scf.yield %third : !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}
