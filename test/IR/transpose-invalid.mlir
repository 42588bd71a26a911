// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @transpose_c1_too_short(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.transpose' op expected a permutation of the 2 dimensions of the source, got [0]}}
  %0 = tile.transpose %t [0] : !tile.tile<8x4xf32> to !tile.tile<8xf32>
  return
}

// -----

func.func @transpose_c1_too_long(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.transpose' op expected a permutation of the 2 dimensions of the source, got [0, 1, 2]}}
  %0 = tile.transpose %t [0, 1, 2] : !tile.tile<8x4xf32> to !tile.tile<8x4xf32>
  return
}

// -----

func.func @transpose_c1_twice(%t: !tile.tile<8x8xf32>) {
  // expected-error @below {{'tile.transpose' op expected a permutation of the 2 dimensions of the source, got [1, 1]}}
  %0 = tile.transpose %t [1, 1] : !tile.tile<8x8xf32> to !tile.tile<8x8xf32>
  return
}

// -----

func.func @transpose_c1_negative(%t: !tile.tile<8x8xf32>) {
  // expected-error @below {{'tile.transpose' op expected a permutation of the 2 dimensions of the source, got [-1, 0]}}
  %0 = tile.transpose %t [-1, 0] : !tile.tile<8x8xf32> to !tile.tile<8x8xf32>
  return
}

// -----

func.func @transpose_c1_no_such_dimension(%t: !tile.tile<8x8xf32>) {
  // expected-error @below {{'tile.transpose' op expected a permutation of the 2 dimensions of the source, got [0, 9223372036854775807]}}
  %0 = tile.transpose %t [0, 9223372036854775807] : !tile.tile<8x8xf32> to !tile.tile<8x8xf32>
  return
}

// -----

func.func @transpose_c2_shape(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.transpose' op expected a result of shape [4, 8], got [8, 4]}}
  %0 = tile.transpose %t [1, 0] : !tile.tile<8x4xf32> to !tile.tile<8x4xf32>
  return
}

// -----

func.func @transpose_c2_element_type(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.transpose' op expected element type 'f32' (the source's), got 'i32'}}
  %0 = tile.transpose %t [1, 0] : !tile.tile<8x4xf32> to !tile.tile<4x8xi32>
  return
}
