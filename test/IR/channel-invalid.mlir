// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected 1 to 1024 stages, got 0}}
func.func private @no_stage(!tile_gpu.channel<0>)

// -----

func.func @c1_no_buffer() {
  // expected-error @below {{'tile_gpu.channel' op expected at least one buffer}}
  "tile_gpu.channel"() : () -> !tile_gpu.channel<1>
  return
}

// -----

#row = #tile.shared<(32):(1)>
func.func @c2_fewer_stages(%a: memref<3x32xf32, #row>) {
  // expected-error @below {{'tile_gpu.channel' op expected circular buffers of 4 stages, got 'memref<3x32xf32, #tile.shared<(32):(1)>>'}}
  tile_gpu.channel %a : memref<3x32xf32, #row> -> !tile_gpu.channel<4>
  return
}

// -----

#rows = #tile.shared<(4,32):(32,1)>
func.func @c2_no_dimension_for_stages(%a: memref<4x32xf32, #rows>) {
  // expected-error @below {{'tile_gpu.channel' op expected circular buffers of 4 stages, got 'memref<4x32xf32, #tile.shared<(4,32):(32,1)>>'}}
  tile_gpu.channel %a : memref<4x32xf32, #rows> -> !tile_gpu.channel<4>
  return
}

// -----

func.func @buffer_in_global_memory(%a: memref<32xf32>) {
  // expected-error @below {{operand #0 must be variadic of buffer in shared memory, but got 'memref<32xf32>'}}
  tile_gpu.channel %a : memref<32xf32> -> !tile_gpu.channel<1>
  return
}
