// RUN: tile-opt %s -tile-count-groups -verify-diagnostics -split-input-file

#row = #tile.shared<(32):(1)>
!b2 = memref<2x32xf32, #row>

// The wait is for a fill that is committed after it.
tile.kernel @wait_before_commit() attributes {block = 32 : i64} {
  %n0 = tile_gpu.counter 0 : !tile_gpu.counter<2>
  %n1 = tile_gpu.counter 1 : !tile_gpu.counter<2>
  %a = memref.alloc() : !b2
  %channel = tile_gpu.channel %a : !b2 -> !tile_gpu.channel<2>
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<2>
  // expected-error @below {{expected a wait for a fill that a path to it commits, got one that no path commits}}
  tile_gpu.wait %channel[%n1] : !tile_gpu.channel<2>
  tile_gpu.commit %channel[%n1] : !tile_gpu.channel<2>
  tile.return
}

// -----

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>

// A channel that is created again has no fills yet.
tile.kernel @new_channel_in_each_iteration(%k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  scf.for %i = %c0 to %k step %c1 {
    %channel = tile_gpu.channel %a : !b -> !tile_gpu.channel<1>
    // expected-error @below {{expected a wait for a fill that a path to it commits, got one that no path commits}}
    tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  }
  tile.return
}
