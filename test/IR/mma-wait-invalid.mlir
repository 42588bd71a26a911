// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @c1_negative(%token: !tile.mma_token) {
  // expected-error @below {{'tile_gpu.mma_wait' op expected 'in_flight' of 0 to 63, got -1}}
  tile_gpu.mma_wait %token in_flight -1
  return
}

// -----

func.func @c1_many(%token: !tile.mma_token) {
  // expected-error @below {{'tile_gpu.mma_wait' op expected 'in_flight' of 0 to 63, got 64}}
  tile_gpu.mma_wait %token in_flight 64
  return
}

// -----

!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
func.func @c2_results(%token: !tile.mma_token, %t: !t) {
  // expected-error @below {{'tile_gpu.mma_wait' op expected a result of the type of each value}}
  "tile_gpu.mma_wait"(%token, %t) {in_flight = 0 : i64} : (!tile.mma_token, !t) -> ()
  return
}

// -----

func.func @c2_registers(%token: !tile.mma_token, %t: !tile.tile<32xf32>) {
  // expected-error @below {{'tile_gpu.mma_wait' op expected a tile in registers with a layout, got '!tile.tile<32xf32>'}}
  %u = tile_gpu.mma_wait %token in_flight 0 of %t : !tile.tile<32xf32>
  return
}
