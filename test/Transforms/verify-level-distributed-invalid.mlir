// RUN: tile-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(tile.kernel(tile-verify-level{level=distributed}))'

// expected-error @below {{expected a block size}}
tile.kernel @no_block() {
  tile.return
}

// -----

tile.kernel @no_layout(%x: memref<32xf32>) attributes {block = 32 : i64, tile.storage = []} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a tile with a layout, got '!tile.tile<32xf32, #tile.register>'}}
  %t = tile.load %x[%c0] : memref<32xf32> -> !tile.tile<32xf32, #tile.register>
  tile.return
}

// -----

// expected-error @below {{expected a kernel at level 'distributed' to have no 'tile.shared_bytes'}}
tile.kernel @allocated() attributes {block = 32 : i64, tile.storage = [], tile.shared_bytes = 0 : i64} {
  tile.return
}

// -----

#dense = #tile.shared<(32):(1)>
tile.kernel @buffer() attributes {block = 32 : i64, tile.storage = []} {
  // expected-error @below {{expected whole tiles at level 'distributed', got a buffer of 'memref<32xf32, #tile.shared<(32):(1)>>'}}
  %b = memref.alloc() : memref<32xf32, #dense>
  tile.return
}
