// RUN: tile-opt %s -tile-insert-barriers -verify-diagnostics -split-input-file

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A barrier does not order a copy that is still in flight.
tile.kernel @reads_a_copy_in_flight(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %fill = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.commit %channel[%fill] : !tile_gpu.channel<1>
  // expected-error @below {{expected the copy into this buffer to be waited for before the buffer is accessed}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!stages = memref<2x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A wait for the fill before does not order the copy either.
tile.kernel @waits_for_the_fill_before(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %first = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %second = tile_gpu.next %first : !tile_gpu.counter<2>
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !stages
  %channel = tile_gpu.channel %a : !stages -> !tile_gpu.channel<2>
  tile_gpu.commit %channel[%first] : !tile_gpu.channel<2>
  %to = tile_gpu.stage %a[%second] : !stages
  tile_gpu.copy_async %x[%c0] to %to : memref<32xf32> to !stage
  tile_gpu.commit %channel[%second] : !tile_gpu.channel<2>
  tile_gpu.wait %channel[%first] : !tile_gpu.channel<2>
  // expected-error @below {{expected the copy into this buffer to be waited for before the buffer is accessed}}
  %u = tile_gpu.load_shared %to : !stage -> !t
  tile.return
}
