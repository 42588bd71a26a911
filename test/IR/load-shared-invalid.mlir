// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @load_shared_c1_shape(%b: memref<4x8xf32, #tile.shared<(4,8):(8,1)>>) {
  // expected-error @below {{'tile_gpu.load_shared' op expected shape [4, 8] and element type 'f32', got [8, 4] and 'f32'}}
  %0 = tile_gpu.load_shared %b : memref<4x8xf32, #tile.shared<(4,8):(8,1)>> -> !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  return
}

// -----

func.func @load_shared_c1_element_type(%b: memref<8x4xi32, #tile.shared<(8,4):(4,1)>>) {
  // expected-error @below {{'tile_gpu.load_shared' op expected shape [8, 4] and element type 'i32', got [8, 4] and 'f32'}}
  %0 = tile_gpu.load_shared %b : memref<8x4xi32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  return
}

// -----

func.func @load_shared_c1_no_layout(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  // expected-error @below {{'tile_gpu.load_shared' op expected a tile in registers with a layout, got '!tile.tile<8x4xf32, #tile.register>'}}
  %0 = tile_gpu.load_shared %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32, #tile.register>
  return
}

// -----

func.func @load_shared_from_array(%b: memref<8x4xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{'tile_gpu.load_shared' op operand #0 must be buffer in shared memory, but got 'memref<8x4xf32, #gpu.address_space<workgroup>>'}}
  %0 = tile_gpu.load_shared %b : memref<8x4xf32, #gpu.address_space<workgroup>> -> !tile.tile<8x4xf32, #tile.register<((4,8),1,1):((1,4),0,0), box = [8, 4]>>
  return
}
