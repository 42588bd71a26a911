// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @convert_layout_c1_shape(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.convert_layout' op expected shape [8, 4] and element type 'f32', got [4, 8] and 'f32'}}
  %0 = tile.convert_layout %t : !tile.tile<8x4xf32> to !tile.tile<4x8xf32, #tile.shared>
  return
}

// -----

func.func @convert_layout_c1_element_type(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.convert_layout' op expected shape [8, 4] and element type 'f32', got [8, 4] and 'f16'}}
  %0 = tile.convert_layout %t : !tile.tile<8x4xf32> to !tile.tile<8x4xf16, #tile.shared>
  return
}
