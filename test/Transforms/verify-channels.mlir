// RUN: tile-opt %s -tile-order-fills -o %t
// RUN: tile-opt %t -tile-verify-channels | diff %t -

// Channels that are filled and read in order. Those with a mistake are in
// verify-channels-invalid.mlir.

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A single fill, of two buffers.
tile.kernel @one_fill(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %channel = tile_gpu.channel %a, %b : !b, !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.copy_async %x[%c0] to %b : memref<32xf32> to !b
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  %v = tile_gpu.load_shared %b : !b -> !t
  tile.return
}

// The buffers stay filled from one iteration of the outer loop to the next.
tile.kernel @filled_across_tiles(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %q:2 = scf.for %j = %c0 to %k step %c1 iter_args(%putTile = %n1, %getTile = %n0) -> (!n, !n) {
    %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %putTile, %get = %getTile) -> (!n, !n) {
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
    scf.yield %r#0, %r#1 : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// Both sides of a branch fill the stage; a fill may be waited for twice.
tile.kernel @fill_in_a_branch(%x: memref<32xf32>, %y: memref<32xf32>, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  scf.if %c {
    tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  } else {
    tile_gpu.copy_async %y[%c0] to %a : memref<32xf32> to !b
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  }
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// Threads fill the stages of a channel without copies by storing to them.
tile.kernel @stored(%v: f32, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %t = tile.fill %v : !t
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n0) -> !n {
    %stage = tile_gpu.stage %a[%at] : !b2
    tile_gpu.store_shared %t, %stage : !t, !stage
    %u = tile_gpu.load_shared %stage : !stage -> !t
    %next = tile_gpu.next %at : !n
    scf.yield %next : !n
  }
  tile.return
}

// A drain waits for all fills; a drain without copies does nothing.
tile.kernel @drained(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  %other = tile_gpu.channel %b : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.drain %channel : !tile_gpu.channel<1>
  tile_gpu.drain %other : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// Two channels share a counter.
tile.kernel @shared_counter(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  %b = memref.alloc() : !b2
  %ofA = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %ofB = tile_gpu.channel %b : !b2 -> !tile_gpu.channel<2>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n0) -> !n {
    %toA = tile_gpu.stage %a[%at] : !b2
    tile_gpu.copy_async %x[%i] to %toA : memref<?xf32> to !stage
    tile_gpu.commit %ofA[%at] : !tile_gpu.channel<2>
    %toB = tile_gpu.stage %b[%at] : !b2
    tile_gpu.copy_async %x[%i] to %toB : memref<?xf32> to !stage
    tile_gpu.commit %ofB[%at] : !tile_gpu.channel<2>
    tile_gpu.wait %ofA[%at] : !tile_gpu.channel<2>
    tile_gpu.wait %ofB[%at] : !tile_gpu.channel<2>
    %next = tile_gpu.next %at : !n
    scf.yield %next : !n
  }
  tile.return
}

// The channel of an inner loop is created in each iteration of the outer one.
tile.kernel @channel_in_a_loop(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  scf.for %j = %c0 to %k step %c1 {
    %a = memref.alloc() : !b2
    %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
    %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n0) -> !n {
      %to = tile_gpu.stage %a[%at] : !b2
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
      tile_gpu.commit %channel[%at] : !tile_gpu.channel<2>
      tile_gpu.wait %channel[%at] : !tile_gpu.channel<2>
      %u = tile_gpu.load_shared %to : !stage -> !t
      %next = tile_gpu.next %at : !n
      scf.yield %next : !n
    }
  }
  tile.return
}

// A second loop continues from the results of the first; one side of a branch has a loop.
tile.kernel @continued(%x: memref<?xf32>, %k: index, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %p = scf.if %c -> !n {
    %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n0) -> !n {
      %to = tile_gpu.stage %a[%at] : !b2
      tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
      tile_gpu.commit %channel[%at] : !tile_gpu.channel<2>
      tile_gpu.wait %channel[%at] : !tile_gpu.channel<2>
      %next = tile_gpu.next %at : !n
      scf.yield %next : !n
    }
    scf.yield %r : !n
  } else {
    scf.yield %n0 : !n
  }
  %q = scf.for %i = %c0 to %k step %c1 iter_args(%at = %p) -> !n {
    %to = tile_gpu.stage %a[%at] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%at] : !tile_gpu.channel<2>
    tile_gpu.wait %channel[%at] : !tile_gpu.channel<2>
    %u = tile_gpu.load_shared %to : !stage -> !t
    %next = tile_gpu.next %at : !n
    scf.yield %next : !n
  }
  tile.return
}

// The channel of a while loop's body.
tile.kernel @in_a_while(%x: memref<?xf32>, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  scf.while : () -> () {
    %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
    tile_gpu.copy_async %x[%c0] to %a : memref<?xf32> to !b
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
    tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
    scf.condition(%c)
  } do {
    %u = tile_gpu.load_shared %a : !b -> !t
    scf.yield
  }
  %v = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// A fill after the loop has its acquire after the loop, whose result is its counter.
tile.kernel @after_a_loop(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%at = %n0) -> !n {
    %to = tile_gpu.stage %a[%at] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%at] : !tile_gpu.channel<2>
    tile_gpu.wait %channel[%at] : !tile_gpu.channel<2>
    %next = tile_gpu.next %at : !n
    scf.yield %next : !n
  }
  %last = tile_gpu.stage %a[%r] : !b2
  tile_gpu.copy_async %x[%c0] to %last : memref<?xf32> to !stage
  tile_gpu.commit %channel[%r] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%r] : !tile_gpu.channel<2>
  %u = tile_gpu.load_shared %last : !stage -> !t
  tile.return
}

// Copies of two channels come before both commits.
tile.kernel @interleaved(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %ofA = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  %ofB = tile_gpu.channel %b : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.copy_async %x[%c0] to %b : memref<32xf32> to !b
  tile_gpu.commit %ofB[%n] : !tile_gpu.channel<1>
  tile_gpu.commit %ofA[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %ofA[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %ofB[%n] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  %v = tile_gpu.load_shared %b : !b -> !t
  tile.return
}

// Both sides of a branch copy, or wait and read.
tile.kernel @used_in_branches(%x: memref<?xf32>, %k: index, %p: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  scf.if %p {
    tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  } else {
    tile_gpu.copy_async %x[%c1] to %first : memref<?xf32> to !stage
  }
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    scf.if %p {
      tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
      %from = tile_gpu.stage %a[%get] : !b2
      %u = tile_gpu.load_shared %from : !stage -> !t
    } else {
      tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    }
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %nextPut, %nextGet : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// A fill that an MMA reads is full: it may be waited for again, and read again.
tile.kernel @waited_for_again(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %channel = tile_gpu.channel %b : !rhs -> !tile_gpu.channel<1>
  %c = tile.fill %v : !sum
  tile_gpu.copy_async %x[%c0, %c0] to %b : memref<?x?xf16> to !rhs
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %d, %t = tile_gpu.mma_async %a, %b, %c tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : !lhs, !rhs -> !sum
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %e, %u = tile_gpu.mma_async %a, %b, %d tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : !lhs, !rhs -> !sum
  %sum = tile_gpu.mma_wait %u in_flight 0 of %e : !sum
  tile_gpu.release %channel[%n] : !tile_gpu.channel<1>
  tile.return
}
