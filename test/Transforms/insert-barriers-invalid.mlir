// RUN: tile-opt %s -tile-insert-barriers -verify-diagnostics -split-input-file

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A barrier does not order a copy that is still in flight.
tile.kernel @reads_a_copy_in_flight(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  nvvm.cp.async.commit.group
  // expected-error @below {{expected the copy into this buffer to be waited for before the buffer is accessed}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>

// A wait for an older group does not order the copy either.
tile.kernel @waits_for_an_older_group(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {tile.shared_offset = 0 : i64} : !b
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 1
  // expected-error @below {{expected the copy into this buffer to be waited for before the buffer is accessed}}
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}
