// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @select_c1_shape(%c: !tile.tile<4xi1>, %a: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.select' op expected a condition of shape [8] and element type i1, got '!tile.tile<4xi1>'}}
  %0 = tile.select %c, %a, %a : !tile.tile<4xi1>, !tile.tile<8xf32>
  return
}

// -----

func.func @select_c1_element_type(%c: !tile.tile<8xi8>, %a: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.select' op expected a condition of shape [8] and element type i1, got '!tile.tile<8xi8>'}}
  %0 = tile.select %c, %a, %a : !tile.tile<8xi8>, !tile.tile<8xf32>
  return
}

// -----

func.func @select_scalar_condition(%c: i32, %a: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.select' op operand #0 must be 1-bit signless integer or tile, but got 'i32'}}
  %0 = tile.select %c, %a, %a : i32, !tile.tile<8xf32>
  return
}

// -----

func.func @select_values_differ(%c: i1, %a: !tile.tile<8xf32>, %b: !tile.tile<8xf16>) {
  // expected-error @below {{'tile.select' op failed to verify that all of {true_value, false_value, result} have same type}}
  %0 = "tile.select"(%c, %a, %b) : (i1, !tile.tile<8xf32>, !tile.tile<8xf16>) -> !tile.tile<8xf32>
  return
}
