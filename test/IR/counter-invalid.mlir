// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @c1_negative() {
  // expected-error @below {{attribute 'value' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 2147483647}}
  tile_gpu.counter -1 : !tile_gpu.counter<4>
  return
}

// -----

// expected-error @below {{expected 1 to 1024 stages, got 0}}
func.func private @no_stage(!tile_gpu.counter<0>)
