// RUN: tile-opt %s -tile-bufferize -verify-diagnostics -split-input-file

// expected-error @below {{expected a block size (run -tile-warp-tiling before)}}
tile.kernel @without_block() {
  tile.return
}

// -----

tile.kernel @without_layout(%x: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a tile with a layout (run -tile-assign-layouts before), got '!tile.tile<8x8xf32>'}}
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  tile.return
}

// -----

tile.kernel @stores_shared(%x: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>>
  // expected-error @below {{expected tiles in registers (run -tile-assign-storage before), got '!tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>>'}}
  tile.store %t, %x[%c0, %c0] : !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>>, memref<8x8xf32>
  tile.return
}

// -----

tile.kernel @reshapes_to_registers(%x: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>>
  // expected-error @below {{expected a source and a result of one storage (run -tile-assign-storage before), got '!tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>>' and '!tile.tile<64xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>'}}
  %u = tile.reshape %t : !tile.tile<8x8xf32, #tile.shared<(8,8):(8,1)>> to !tile.tile<64xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>
  tile.return
}

// -----

tile.kernel @views_registers(%x: memref<64xf32>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>
  // expected-error @below {{expected a view of a tile in shared memory (run -tile-assign-storage before), got '!tile.tile<64xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>'}}
  %u = tile.view %t[%i] : !tile.tile<64xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>> to !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
  tile.return
}

// -----

// The pass refuses a kernel that it has already bufferized.
!buffer = memref<64xf32, #tile.shared<(64):(1)>>
!lanes = !tile.tile<64xf32, #tile.register<(32,1,2):(1,0,32), box = [64]>>
!places = !tile.tile<64xi32, #tile.register<(32,1,2):(1,0,32), box = [64]>>
tile.kernel @takes_of_buffer(%x: memref<64xf32>, %i: memref<64xi32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %p = tile.load %i[%c0] : memref<64xi32> -> !places
  %b = memref.alloc() : !buffer
  // expected-error @below {{expected a kernel from before -tile-bufferize, got an operation that it makes}}
  %u = tile.take %b at %p axis 0 : !buffer, !places to !lanes
  tile.store %u, %x[%c0] : !lanes, memref<64xf32>
  tile.return
}
