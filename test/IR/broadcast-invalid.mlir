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
