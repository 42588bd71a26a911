// RUN: tile-opt %s -tile-assign-layouts -verify-diagnostics -split-input-file

// A block size comes from the phase before.
// expected-error @below {{expected a block size (run -tile-warp-tiling before)}}
tile.kernel @no_block() {
  tile.return
}

// -----

// So does a storage.
tile.kernel @no_storage(%x: memref<64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a tile with a storage (run -tile-assign-storage before)}}
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

// And a tiling.
tile.kernel @no_tiling(%x: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared>
  %c = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.register>
  // expected-error @below {{expected a complete tiling (run -tile-warp-tiling before)}}
  %r = tile.matmul %a, %a, %c : !tile.tile<8x8xf32, #tile.shared>, !tile.tile<8x8xf32, #tile.shared> -> !tile.tile<8x8xf32, #tile.register>
  tile.return
}

// -----

// Elements of a warp that the block does not have would be nowhere.
tile.kernel @layout_of_other_warps(%x: memref<6x32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a layout of 1 warps (the block's), got 2 in #tile.register<(32,2,3):(1,32,64), box = [6, 32]>}}
  %t = tile.load %x[%c0, %c0] : memref<6x32xf32> -> !tile.tile<6x32xf32, #tile.register<(32,2,3):(1,32,64), box = [6, 32]>>
  tile.return
}

// -----

// No block has registers for it.
tile.kernel @more_than_all_registers(%x: memref<257x256xf32>) attributes {block = 1024 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a tile of at most 262144 bytes (a block's registers), got 263168 of '!tile.tile<257x256xf32, #tile.register>'}}
  %t = tile.load %x[%c0, %c0] : memref<257x256xf32> -> !tile.tile<257x256xf32, #tile.register>
  tile.store %t, %x[%c0, %c0] : !tile.tile<257x256xf32, #tile.register>, memref<257x256xf32>
  tile.return
}
