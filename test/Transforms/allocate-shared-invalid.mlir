// RUN: tile-opt %s -tile-allocate-shared -verify-diagnostics -split-input-file

#rows = #tile.shared<(128,128):(128,1)>
!ring = memref<2x128x128xf32, #rows>
!buffer = memref<128x128xf32, #rows>
!t = !tile.tile<128x128xf32, #tile.register<(32,1,(4,128)):(1,0,(32,128)), box = [128, 128]>>

// The note lists the buffers, with their stages, that are live where most bytes are
// live.
// expected-error @below {{expected at most 166912 bytes of shared memory on sm_80, got 196608}}
tile.kernel @needs_more_than_the_architecture_has(%x: memref<128x128xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-note @below {{live at the worst point: 131072 bytes, 2 stages of 65536}}
  %a = memref.alloc() : !ring
  // expected-note @below {{live at the worst point: 65536 bytes, 1 stage of 65536}}
  %b = memref.alloc() : !buffer
  %slot = memref.subview %a[%c0, 0, 0] [1, 128, 128] [1, 1, 1] : !ring to memref<128x128xf32, strided<[128, 1], offset: ?>, #rows>
  %t = arith.constant dense<0.0> : !t
  tile_gpu.store_shared %t, %slot : !t, memref<128x128xf32, strided<[128, 1], offset: ?>, #rows>
  tile_gpu.store_shared %t, %b : !t, !buffer
  %u = tile_gpu.load_shared %slot : memref<128x128xf32, strided<[128, 1], offset: ?>, #rows> -> !t
  %v = tile_gpu.load_shared %b : !buffer -> !t
  tile.return
}

// -----

#rows = #tile.shared<(128,128):(128,1)>
!buffer = memref<128x128xf32, #rows>
!t = !tile.tile<128x128xf32, #tile.register<(32,1,(4,128)):(1,0,(32,128)), box = [128, 128]>>

// Two blocks share the 164 KiB of a multiprocessor, of which the system takes one KiB
// for each block.
// expected-error @below {{expected at most 82944 bytes of shared memory on sm_80 (2 blocks a multiprocessor), got 131072}}
tile.kernel @needs_more_than_its_part(%x: memref<128x128xf32>) attributes {block = 32 : i64, tile.blocks_per_processor = 2 : i64} {
  // expected-note @below {{live at the worst point: 65536 bytes, 1 stage of 65536}}
  %a = memref.alloc() : !buffer
  // expected-note @below {{live at the worst point: 65536 bytes, 1 stage of 65536}}
  %b = memref.alloc() : !buffer
  %t = arith.constant dense<0.0> : !t
  tile_gpu.store_shared %t, %a : !t, !buffer
  tile_gpu.store_shared %t, %b : !t, !buffer
  %u = tile_gpu.load_shared %a : !buffer -> !t
  %v = tile_gpu.load_shared %b : !buffer -> !t
  tile.return
}

// -----

// At least one block must fit on a multiprocessor.
// expected-error @below {{expected 'tile.blocks_per_processor' to be an integer from 1 to 32, got 0 : i64}}
tile.kernel @no_blocks() attributes {block = 32 : i64, tile.blocks_per_processor = 0 : i64} {
  tile.return
}
