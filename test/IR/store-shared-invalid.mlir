// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @store_shared_c1_number_of_elements(%b: memref<31xf32, #tile.shared<(32):(1)>>, %t: !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>) {
  // expected-error @below {{'tile_gpu.store_shared' op expected a buffer of 32 elements of 'f32', got 31 of 'f32'}}
  tile_gpu.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<31xf32, #tile.shared<(32):(1)>>
  return
}

// -----

func.func @store_shared_c1_element_type(%b: memref<8x4xi32, #tile.shared<(8,4):(4,1)>>, %t: !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>) {
  // expected-error @below {{'tile_gpu.store_shared' op expected a buffer of 32 elements of 'f32', got 32 of 'i32'}}
  tile_gpu.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xi32, #tile.shared<(8,4):(4,1)>>
  return
}

// -----

func.func @store_shared_c1_no_storage(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>, %t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile_gpu.store_shared' op expected a tile in registers with a layout, got '!tile.tile<8x4xf32>'}}
  tile_gpu.store_shared %t, %b : !tile.tile<8x4xf32>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  return
}

// -----

func.func @store_shared_c1_no_layout(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>, %t: !tile.tile<8x4xf32, #tile.register>) {
  // expected-error @below {{'tile_gpu.store_shared' op expected a tile in registers with a layout, got '!tile.tile<8x4xf32, #tile.register>'}}
  tile_gpu.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register>, memref<8x4xf32, #tile.shared<(8,4):(4,1)>>
  return
}

// -----

func.func @store_shared_c2_swizzled(%b: memref<4x64xf16, #tile.shared<(4,64):(64,1), swizzle = <3, 4, 3>, align = 128>>, %t: !tile.tile<256xf16, #tile.register<(32,1,8):(1,0,32), box = [256]>>) {
  // expected-error @below {{'tile_gpu.store_shared' op expected a buffer without padding and gaps but between rows for a tile of another shape, got 'memref<4x64xf16, #tile.shared<(4,64):(64,1), swizzle = <3, 4, 3>, align = 128>>' for shape [256]}}
  tile_gpu.store_shared %t, %b : !tile.tile<256xf16, #tile.register<(32,1,8):(1,0,32), box = [256]>>, memref<4x64xf16, #tile.shared<(4,64):(64,1), swizzle = <3, 4, 3>, align = 128>>
  return
}

// -----

func.func @store_shared_c2_padded_rows(%b: memref<8x4xf32, #tile.shared<(8,5):(5,1)>>, %t: !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>) {
  // expected-error @below {{'tile_gpu.store_shared' op expected a buffer without padding and gaps but between rows for a tile of another shape, got 'memref<8x4xf32, #tile.shared<(8,5):(5,1)>>' for shape [32]}}
  tile_gpu.store_shared %t, %b : !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>, memref<8x4xf32, #tile.shared<(8,5):(5,1)>>
  return
}

// -----

func.func @store_shared_to_array(%b: memref<8x4xf32>, %t: !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>) {
  // expected-error @below {{'tile_gpu.store_shared' op operand #1 must be buffer in shared memory, but got 'memref<8x4xf32>'}}
  tile_gpu.store_shared %t, %b : !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>, memref<8x4xf32>
  return
}
