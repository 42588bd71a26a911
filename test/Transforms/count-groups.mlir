// RUN: tile-opt %s -tile-count-groups | FileCheck %s

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!b3 = memref<3x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>

// A wait leaves the groups in flight that were committed after its fill.
// CHECK-LABEL: @in_order
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NOT: channel
// CHECK: tile.return
tile.kernel @in_order(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  %ofA = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  %ofB = tile_gpu.channel %b : !b -> !tile_gpu.channel<1>
  tile_gpu.commit %ofA[%n] : !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %b : memref<32xf32> to !b
  tile_gpu.commit %ofB[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %ofA[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %ofB[%n] : !tile_gpu.channel<1>
  tile.return
}

// If two paths lead to a wait, the one with fewer commits counts.
// CHECK-LABEL: @branches
// CHECK: scf.if
// CHECK: nvvm.cp.async.commit.group
// CHECK: }
// CHECK-NEXT: nvvm.cp.async.wait.group 0
tile.kernel @branches(%x: memref<32xf32>, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  %ofA = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  %ofB = tile_gpu.channel %b : !b -> !tile_gpu.channel<1>
  tile_gpu.commit %ofA[%n] : !tile_gpu.channel<1>
  scf.if %c {
    tile_gpu.copy_async %x[%c0] to %b : memref<32xf32> to !b
    tile_gpu.commit %ofB[%n] : !tile_gpu.channel<1>
  }
  tile_gpu.wait %ofA[%n] : !tile_gpu.channel<1>
  tile_gpu.drain %ofB : !tile_gpu.channel<1>
  tile.return
}

// The copies of this loop run two iterations ahead, so one group stays in flight in the
// first iteration. From the second on, the body's other channel has committed one more
// group since the fill, but one count must hold for all iterations.
// CHECK-LABEL: @in_a_loop
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: scf.yield
// CHECK: nvvm.cp.async.wait.group 0
tile.kernel @in_a_loop(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<3>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<3>
  %n2 = tile_gpu.counter 2 : !tile_gpu.counter<3>
  %only = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b3
  %b = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b3 -> !tile_gpu.channel<3>
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<3>
  tile_gpu.commit %channel[%n1] : !tile_gpu.channel<3>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n2, %get = %n0) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<3>
    %to = tile_gpu.stage %a[%put] : !b3
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.copy_async %x[%i] to %b : memref<?xf32> to !b
    %other = tile_gpu.channel %b : !b -> !tile_gpu.channel<1>
    tile_gpu.commit %other[%only] : !tile_gpu.channel<1>
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<3>
    tile_gpu.wait %other[%only] : !tile_gpu.channel<1>
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<3>
    %nextGet = tile_gpu.next %get : !tile_gpu.counter<3>
    scf.yield %nextPut, %nextGet : !tile_gpu.counter<3>, !tile_gpu.counter<3>
  }
  tile_gpu.drain %channel : !tile_gpu.channel<3>
  tile.return
}

// A loop around the loop over K carries the counters: the buffers stay filled from one
// tile to the next, and the count is the same in all iterations.
// CHECK-LABEL: @filled_across_tiles
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: tile.return
tile.kernel @filled_across_tiles(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<3>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<3>
  %n2 = tile_gpu.counter 2 : !tile_gpu.counter<3>
  %a = memref.alloc() : !b3
  %channel = tile_gpu.channel %a : !b3 -> !tile_gpu.channel<3>
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<3>
  tile_gpu.commit %channel[%n1] : !tile_gpu.channel<3>
  %q:2 = scf.for %j = %c0 to %k step %c1 iter_args(%putTile = %n2, %getTile = %n0) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
    %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %putTile, %get = %getTile) -> (!tile_gpu.counter<3>, !tile_gpu.counter<3>) {
      tile_gpu.wait %channel[%get] : !tile_gpu.channel<3>
      %to = tile_gpu.stage %a[%put] : !b3
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
      tile_gpu.commit %channel[%put] : !tile_gpu.channel<3>
      %nextPut = tile_gpu.next %put : !tile_gpu.counter<3>
      %nextGet = tile_gpu.next %get : !tile_gpu.counter<3>
      scf.yield %nextPut, %nextGet : !tile_gpu.counter<3>, !tile_gpu.counter<3>
    }
    scf.yield %r#0, %r#1 : !tile_gpu.counter<3>, !tile_gpu.counter<3>
  }
  tile_gpu.drain %channel : !tile_gpu.channel<3>
  tile.return
}

// A constant counter in a loop that advances others is at no known position relative to
// them: the wait is for all fills.
// CHECK-LABEL: @constant_in_the_loop
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 0
tile.kernel @constant_in_the_loop(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.commit %channel[%n1] : !tile_gpu.channel<2>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n0) -> (!tile_gpu.counter<2>) {
    tile_gpu.wait %channel[%n0] : !tile_gpu.channel<2>
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %nextPut = tile_gpu.next %put : !tile_gpu.counter<2>
    scf.yield %nextPut : !tile_gpu.counter<2>
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}
