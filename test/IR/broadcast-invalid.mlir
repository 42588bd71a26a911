// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @broadcast_c1_rank(%t: !tile.tile<1x4xf32>) {
  // expected-error @below {{'tile.broadcast' op expected a source of rank at most 1 (the result's), got rank 2}}
  %0 = tile.broadcast %t : !tile.tile<1x4xf32> to !tile.tile<4xf32>
  return
}

// -----

func.func @broadcast_c2_extent(%t: !tile.tile<2x4xf32>) {
  // expected-error @below {{'tile.broadcast' op expected extent 1 or 8 of the source's dimension 0, got 2}}
  %0 = tile.broadcast %t : !tile.tile<2x4xf32> to !tile.tile<8x4xf32>
  return
}

// -----

// Dimensions are matched from the last one.
func.func @broadcast_c2_leading_dimension(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.broadcast' op expected extent 1 or 4 of the source's dimension 0, got 8}}
  %0 = tile.broadcast %t : !tile.tile<8xf32> to !tile.tile<8x4xf32>
  return
}

// -----

func.func @broadcast_c2_element_type(%t: !tile.tile<1xf32>) {
  // expected-error @below {{'tile.broadcast' op expected element type 'f32' (the source's), got 'f64'}}
  %0 = tile.broadcast %t : !tile.tile<1xf32> to !tile.tile<4xf64>
  return
}

// -----

func.func @broadcast_c2_dims(%a: !tile.tile<32xf32>) {
  // expected-error @below {{'tile.broadcast' op expected extent 1 or 64 of the source's dimension 0, got 32}}
  %0 = tile.broadcast %a dims [1] : !tile.tile<32xf32> to !tile.tile<32x64xf32>
  return
}

// -----

func.func @broadcast_c3_count(%a: !tile.tile<32xf32>) {
  // expected-error @below {{'tile.broadcast' op expected 'dims' of 1 ascending dimensions of the result, from 0 to 1, got [0, 1]}}
  %0 = tile.broadcast %a dims [0, 1] : !tile.tile<32xf32> to !tile.tile<32x64xf32>
  return
}

// -----

func.func @broadcast_c3_order(%a: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.broadcast' op expected 'dims' of 2 ascending dimensions of the result, from 0 to 2, got [1, 0]}}
  %0 = tile.broadcast %a dims [1, 0] : !tile.tile<4x4xf32> to !tile.tile<4x4x4xf32>
  return
}

// -----

func.func @broadcast_c3_twice(%a: !tile.tile<4x4xf32>) {
  // expected-error @below {{'tile.broadcast' op expected 'dims' of 2 ascending dimensions of the result, from 0 to 2, got [1, 1]}}
  %0 = tile.broadcast %a dims [1, 1] : !tile.tile<4x4xf32> to !tile.tile<4x4x4xf32>
  return
}

// -----

func.func @broadcast_c3_range(%a: !tile.tile<4xf32>) {
  // expected-error @below {{'tile.broadcast' op expected 'dims' of 1 ascending dimensions of the result, from 0 to 1, got [2]}}
  %0 = tile.broadcast %a dims [2] : !tile.tile<4xf32> to !tile.tile<4x4xf32>
  return
}
