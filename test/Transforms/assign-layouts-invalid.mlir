// RUN: tile-opt %s -tile-assign-layouts -verify-diagnostics -split-input-file

// The pass requires a block size, which the phase before assigns.
// expected-error @below {{expected a block size (run -tile-warp-tiling before)}}
tile.kernel @no_block() {
  tile.return
}

// -----

// It also requires the storage of each tile, ...
tile.kernel @no_storage(%x: memref<64xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a tile with a storage (run -tile-assign-storage before)}}
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.return
}

// -----

// ... and the tiling of each matmul.
tile.kernel @no_tiling(%x: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared>
  %c = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.register>
  // expected-error @below {{expected a complete tiling (run -tile-warp-tiling before)}}
  %r = tile.matmul %a, %a, %c : !tile.tile<8x8xf32, #tile.shared>, !tile.tile<8x8xf32, #tile.shared> -> !tile.tile<8x8xf32, #tile.register>
  tile.return
}

// -----

// A declared layout with more warps than the block leaves elements without a thread.
tile.kernel @layout_of_other_warps(%x: memref<6x32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a layout of 1 warps (the block's), got 2 in #tile.register<(32,2,3):(1,32,64), box = [6, 32]>}}
  %t = tile.load %x[%c0, %c0] : memref<6x32xf32> -> !tile.tile<6x32xf32, #tile.register<(32,2,3):(1,32,64), box = [6, 32]>>
  tile.return
}

// -----

// No block has enough registers for the tile.
tile.kernel @more_than_all_registers(%x: memref<257x256xf32>) attributes {block = 1024 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a tile of at most 262144 bytes (a block's registers), got 263168 of '!tile.tile<257x256xf32, #tile.register>'}}
  %t = tile.load %x[%c0, %c0] : memref<257x256xf32> -> !tile.tile<257x256xf32, #tile.register>
  tile.store %t, %x[%c0, %c0] : !tile.tile<257x256xf32, #tile.register>, memref<257x256xf32>
  tile.return
}

// -----

// The pass refuses its own output, which it would split once more.
!half = !tile.tile<64xi32, #tile.register<(32,2,1):(1,32,0), box = [64]>>
!totals = !tile.tile<2xi32, #tile.register<(32,2,2):(0,0,1), box = [2]>>
tile.kernel @partial_scan(%x: memref<64xi32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xi32> -> !half
  %n = arith.constant dense<0> : !totals
  // expected-error @below {{expected a kernel from before -tile-assign-layouts, got an operation that it makes}}
  %p = tile.partial_scan add %t after %n axis 0 exclusive : !totals before !half
  tile.store %p, %x[%c0] : !half, memref<64xi32>
  tile.return
}

// -----

!rows = memref<8x8xf32, #tile.shared<(8,8):(8,1)>>
!acc = !tile.tile<8x8xf32, #tile.register>
tile.kernel @product_of_buffers() attributes {block = 32 : i64} {
  %a = memref.alloc() : !rows
  %zero = arith.constant dense<0.0> : !acc
  // expected-error @below {{expected a kernel from before -tile-expand-pipeline, got an operation that it makes}}
  %r = tile.matmul %a, %a, %zero tiling <warps = [1, 1], sub = [1, 1], thread = [1, 2], atom = "fma"> : !rows, !rows -> !acc
  tile.return
}

// -----

// A transposed tile in shared memory is a view of it.
tile.kernel @transposes_to_registers(%x: memref<8x4xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<8x4xf32> -> !tile.tile<8x4xf32, #tile.shared>
  // expected-error @below {{expected a source and a result of one storage (run -tile-assign-storage before), got '!tile.tile<8x4xf32, #tile.shared>' and '!tile.tile<4x8xf32, #tile.register>'}}
  %u = tile.transpose %t [1, 0] : !tile.tile<8x4xf32, #tile.shared> to !tile.tile<4x8xf32, #tile.register>
  tile.return
}

// -----

// An operation that does not declare how its tiles' layouts are related is refused.
#registers = #tile.register
tile.kernel @undeclared(%x: memref<8xf32>, %y: memref<2xf32>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32, #registers>
  // expected-error @below {{expected an operation with LayoutOpInterface, got 'tile.top_k'}}
  %v, %i = tile.top_k %t axis 0 : !tile.tile<8xf32, #registers> to !tile.tile<2xf32, #registers>, !tile.tile<2xi32, #registers>
  tile.store %v, %y[%c0] : !tile.tile<2xf32, #registers>, memref<2xf32>
  tile.return
}

// -----

// A name that is no instruction of the types is no tiling, nor is FMA without the
// elements of a thread.
tile.kernel @unknown_instruction(%x: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared>
  %c = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.register>
  // expected-error @below {{expected a complete tiling (run -tile-warp-tiling before)}}
  %r = tile.matmul %a, %a, %c tiling <warps = [1, 1], sub = [1, 1], atom = "m16n8k16"> : !tile.tile<8x8xf32, #tile.shared>, !tile.tile<8x8xf32, #tile.shared> -> !tile.tile<8x8xf32, #tile.register>
  tile.return
}

// -----

tile.kernel @no_thread(%x: memref<8x8xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.shared>
  %c = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32, #tile.register>
  // expected-error @below {{expected a complete tiling (run -tile-warp-tiling before)}}
  %r = tile.matmul %a, %a, %c tiling <warps = [1, 1], sub = [1, 1], atom = #tile.fma> : !tile.tile<8x8xf32, #tile.shared>, !tile.tile<8x8xf32, #tile.shared> -> !tile.tile<8x8xf32, #tile.register>
  tile.return
}
