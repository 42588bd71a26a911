// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @reshape_c1_number_of_elements(%t: !tile.tile<6x4xf32>) {
  // expected-error @below {{'tile.reshape' op expected a result of 24 elements (the source's), got 25}}
  %0 = tile.reshape %t : !tile.tile<6x4xf32> to !tile.tile<5x5xf32>
  return
}

// -----

func.func @reshape_c1_element_type(%t: !tile.tile<4xf32>) {
  // expected-error @below {{'tile.reshape' op expected element type 'f32' (the source's), got 'i32'}}
  %0 = tile.reshape %t : !tile.tile<4xf32> to !tile.tile<2x2xi32>
  return
}
