// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @random_c1_bits(%s: i64) {
  // expected-error @below {{'tile.random' op expected an element type of i8, i16, i32 or i64 for 'bits', got 'f32'}}
  %0 = tile.random bits %s, %s : !tile.tile<8xf32>
  return
}

// -----

func.func @random_c1_uniform(%s: i64) {
  // expected-error @below {{'tile.random' op expected an element type of f16, bf16, f32 or f64 for 'uniform', got 'i32'}}
  %0 = tile.random uniform %s, %s : !tile.tile<8xi32>
  return
}

// -----

func.func @random_c1_f8(%s: i64) {
  // expected-error @below {{'tile.random' op expected an element type of f16, bf16, f32 or f64 for 'normal', got 'f8E5M2'}}
  %0 = tile.random normal %s, %s : !tile.tile<8xf8E5M2>
  return
}

// -----

func.func @random_unknown(%s: i64) {
  // expected-error @below {{expected distribution bits, uniform or normal, got 'cauchy'}}
  %0 = tile.random cauchy %s, %s : !tile.tile<8xf32>
  return
}
