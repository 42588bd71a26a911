// RUN: tile-opt %s -verify-diagnostics -split-input-file

#row = #tile.shared<(32):(1)>
func.func @counter_of_another_buffer(%a: memref<4x32xf32, #row>, %n: !tile_gpu.counter<3>) {
  // expected-error @below {{failed to verify that a counter of as many stages as the buffer has}}
  "tile_gpu.stage"(%a, %n) : (memref<4x32xf32, #row>, !tile_gpu.counter<3>) -> memref<32xf32, strided<[1], offset: ?>, #row>
  return
}

// -----

#row = #tile.shared<(32):(1)>
func.func @c1_plain_buffer(%a: memref<32xf32, #row>, %n: !tile_gpu.counter<32>) {
  // expected-error @below {{'tile_gpu.stage' op expected a circular buffer, whose first dimension is that of its stages, got 'memref<32xf32, #tile.shared<(32):(1)>>'}}
  tile_gpu.stage %a[%n] : memref<32xf32, #row>
  return
}

// -----

#row = #tile.shared<(32):(1)>
func.func @another_stage_type(%a: memref<4x32xf32, #row>, %n: !tile_gpu.counter<4>) {
  // expected-error @below {{failed to verify that a stage of the buffer}}
  "tile_gpu.stage"(%a, %n) : (memref<4x32xf32, #row>, !tile_gpu.counter<4>) -> memref<32xf32, #row>
  return
}
