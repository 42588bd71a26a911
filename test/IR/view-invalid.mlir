// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @view_c1_number_of_offsets(%t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected 2 offsets (the source's rank), got 1}}
  %0 = tile.view %t[%i] : !tile.tile<8x8xf32> to !tile.tile<4x4xf32>
  return
}

// -----

func.func @view_c2_rank(%t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected a result of rank 2 (the source's), got rank 1}}
  %0 = tile.view %t[%i, %i] : !tile.tile<8x8xf32> to !tile.tile<4xf32>
  return
}

// -----

func.func @view_c2_element_type(%t: !tile.tile<8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected element type 'f32' (the source's), got 'i32'}}
  %0 = tile.view %t[%i] : !tile.tile<8xf32> to !tile.tile<4xi32>
  return
}

// -----

func.func @view_c3_larger_than_source(%t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 1, got offset 0 and extent 9}}
  %0 = tile.view %t[%i, %i] : !tile.tile<8x8xf32> to !tile.tile<4x9xf32>
  return
}

// -----

func.func @view_c3_beyond_the_end(%t: !tile.tile<8xf32>) {
  %c5 = arith.constant 5 : index
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 5 and extent 4}}
  %0 = tile.view %t[%c5] : !tile.tile<8xf32> to !tile.tile<4xf32>
  return
}

// -----

func.func @view_c3_before_the_start(%t: !tile.tile<8xf32>) {
  %c = arith.constant -1 : index
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset -1 and extent 4}}
  %0 = tile.view %t[%c] : !tile.tile<8xf32> to !tile.tile<4xf32>
  return
}

// -----

// The test does not overflow.
func.func @view_c3_greatest_offset(%t: !tile.tile<8xf32>) {
  %c = arith.constant 9223372036854775807 : index
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 9223372036854775807 and extent 4}}
  %0 = tile.view %t[%c] : !tile.tile<8xf32> to !tile.tile<4xf32>
  return
}
