// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @from_buffer_c1_shape(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  // expected-error @below {{'tile_gpu.from_buffer' op expected shape [8, 4] and element type 'f32', got [8, 3] and 'f32'}}
  %0 = tile_gpu.from_buffer %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x3xf32, #tile.shared>
  return
}

// -----

func.func @from_buffer_c1_element_type(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  // expected-error @below {{'tile_gpu.from_buffer' op expected shape [8, 4] and element type 'f32', got [8, 4] and 'f16'}}
  %0 = tile_gpu.from_buffer %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf16, #tile.shared>
  return
}

// -----

func.func @from_buffer_c1_storage(%b: memref<8x4xf32, #tile.shared<(8,4):(4,1)>>) {
  // expected-error @below {{'tile_gpu.from_buffer' op expected a tile in shared memory, got '!tile.tile<8x4xf32>'}}
  %0 = tile_gpu.from_buffer %b : memref<8x4xf32, #tile.shared<(8,4):(4,1)>> -> !tile.tile<8x4xf32>
  return
}

// -----

// A buffer has a layout.
func.func @from_buffer_without_layout(%b: memref<8x4xf32, #tile.shared>) {
  // expected-error @below {{'tile_gpu.from_buffer' op operand #0 must be buffer in shared memory, but got 'memref<8x4xf32, #tile.shared>'}}
  %0 = tile_gpu.from_buffer %b : memref<8x4xf32, #tile.shared> -> !tile.tile<8x4xf32, #tile.shared>
  return
}

// -----

func.func @from_buffer_in_global_memory(%b: memref<8x4xf32>) {
  // expected-error @below {{'tile_gpu.from_buffer' op operand #0 must be buffer in shared memory, but got 'memref<8x4xf32>'}}
  %0 = tile_gpu.from_buffer %b : memref<8x4xf32> -> !tile.tile<8x4xf32, #tile.shared>
  return
}
