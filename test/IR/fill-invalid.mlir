// RUN: tile-opt %s -verify-diagnostics -split-input-file

// The custom form derives the value's type from the tile's.
// expected-note @below {{prior use here}}
func.func @fill_c1_custom_form(%x: f32) {
  // expected-error @below {{use of value '%x' expects different type than prior uses: 'f16' vs 'f32'}}
  %t = tile.fill %x : !tile.tile<4xf16>
  return
}

// -----

func.func @fill_c1_element_type(%x: f32) {
  // expected-error @below {{'tile.fill' op failed to verify that value has the tile's element type}}
  %t = "tile.fill"(%x) : (f32) -> !tile.tile<4xf16>
  return
}

// -----

func.func @fill_of_vector(%x: vector<4xf32>) {
  // expected-error @below {{'tile.fill' op operand #0 must be element of a tile, but got 'vector<4xf32>'}}
  %t = "tile.fill"(%x) : (vector<4xf32>) -> !tile.tile<4xf32>
  return
}

// -----

func.func @fill_to_tensor(%x: f32) {
  // expected-error @below {{'tile.fill' op result #0 must be tile, but got 'tensor<4xf32>'}}
  %t = "tile.fill"(%x) : (f32) -> tensor<4xf32>
  return
}
