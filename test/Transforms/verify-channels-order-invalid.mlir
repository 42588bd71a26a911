// RUN: tile-opt %s -tile-verify-channels -verify-diagnostics -split-input-file

// Acquires and releases out of order.

#row = #tile.shared<(32):(1)>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// Acquires and releases in order.
tile.kernel @in_order(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.acquire %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.acquire %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    %u = tile_gpu.load_shared %from : !stage -> !t
    tile_gpu.release %channel[%get] : !tile_gpu.channel<2>
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %nextPut, %nextGet : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A fill is never released.
tile.kernel @no_release(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.acquire %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    // expected-error @below {{expected an acquire of a stage whose other fill is empty, got one that may be full}}
    tile_gpu.acquire %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
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
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A fill is copied without an acquire.
tile.kernel @no_acquire(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.acquire %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    // expected-error @below {{expected a copy to a fill that is acquired or uncommitted, got one that may be empty}}
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    %u = tile_gpu.load_shared %from : !stage -> !t
    tile_gpu.release %channel[%get] : !tile_gpu.channel<2>
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %nextPut, %nextGet : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A fill is released before it is read.
tile.kernel @release_before_read(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.acquire %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    tile_gpu.release %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    // expected-error @below {{expected an acquire of a stage whose other fill is empty, got one that may be full}}
    tile_gpu.acquire %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    // expected-error @below {{expected a read of a fill that is full, got one that may be released}}
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
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<2>

// A fill is released twice.
tile.kernel @release_twice(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.acquire %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<2>
    %to = tile_gpu.stage %a[%put] : !b2
    tile_gpu.acquire %channel[%put] : !tile_gpu.channel<2>
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<2>
    %from = tile_gpu.stage %a[%get] : !b2
    %u = tile_gpu.load_shared %from : !stage -> !t
    tile_gpu.release %channel[%get] : !tile_gpu.channel<2>
    // expected-error @below {{expected a release of a fill that is full, got one that may be released}}
    tile_gpu.release %channel[%get] : !tile_gpu.channel<2>
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

// A fill is released while its copies are in flight.
tile.kernel @release_in_flight(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile_gpu.acquire %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  // expected-error @below {{expected a release of a fill that is full, got one that may be in flight}}
  tile_gpu.release %channel[%n] : !tile_gpu.channel<1>
  tile.return
}

// -----

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
!lhs = memref<64x32xf16, #lhs>
!rhs = memref<32x64xf16, #rhs>
!sum = !tile.tile<64x64xf32, #sum>

// A fill is released while MMAs read it: after one of two, and after none. The wait for
// all ends the reads.
tile.kernel @release_before_the_mma_ends(%x: memref<?x?xf16>, %v: f32) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs
  %other = memref.alloc() : !rhs
  %channel = tile_gpu.channel %b : !rhs -> !tile_gpu.channel<1>
  %second = tile_gpu.channel %other : !rhs -> !tile_gpu.channel<1>
  %c = tile.fill %v : !sum
  tile_gpu.acquire %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %b : memref<?x?xf16> to !rhs
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.acquire %second[%n] : !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0, %c0] to %other : memref<?x?xf16> to !rhs
  tile_gpu.commit %second[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %second[%n] : !tile_gpu.channel<1>
  %d, %t = tile_gpu.mma_async %a, %b, %c tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : !lhs, !rhs -> !sum
  %e, %u = tile_gpu.mma_async %a, %other, %d tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : !lhs, !rhs -> !sum
  // expected-error @below {{expected a release of a fill that is full, got one that may be read by an MMA in flight}}
  tile_gpu.release %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.mma_wait %t in_flight 1
  // expected-error @below {{expected a release of a fill that is full, got one that may be read by an MMA in flight}}
  tile_gpu.release %second[%n] : !tile_gpu.channel<1>
  %sum = tile_gpu.mma_wait %u in_flight 0 of %e : !sum
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b2 = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A release that trails its counter is of a fill that was released already; the fill
// before the channel's first one does not exist.
tile.kernel @release_behind_twice(%x: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  %first = tile_gpu.stage %a[%n0] : !b2
  tile_gpu.acquire %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%n0] : !tile_gpu.channel<2>
  %u = tile_gpu.load_shared %first : !stage -> !t
  tile_gpu.release %channel[%n0] behind 1 : !tile_gpu.channel<2>
  tile_gpu.release %channel[%n1] behind 1 : !tile_gpu.channel<2>
  // expected-error @below {{expected a release of a fill that is empty or full, got one that may be released}}
  tile_gpu.release %channel[%n1] behind 1 : !tile_gpu.channel<2>
  tile.return
}
