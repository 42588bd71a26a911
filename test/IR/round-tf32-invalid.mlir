// RUN: tile-opt %s -verify-diagnostics

func.func @round_tf32_c1(%t: !tile.tile<8x4xf64>) {
  // expected-error @below {{'tile.round_tf32' op expected elements of f32, got 'f64'}}
  %0 = tile.round_tf32 %t : !tile.tile<8x4xf64>
  return
}
