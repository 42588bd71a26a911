// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @view_c1_number_of_offsets(%t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected 2 offsets (the source's rank), got 1}}
  %0 = tile.view %t[%i] : !tile.tile<8x8xf32> to !tile.tile<4x4xf32>
  return
}

// -----

func.func @view_c2_rank(%t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected a result of rank at most 2 (the source's), got rank 3}}
  %0 = tile.view %t[%i, %i] : !tile.tile<8x8xf32> to !tile.tile<1x4x4xf32>
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

// The bounds check does not overflow.
func.func @view_c3_greatest_offset(%t: !tile.tile<8xf32>) {
  %c = arith.constant 9223372036854775807 : index
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 9223372036854775807 and extent 4}}
  %0 = tile.view %t[%c] : !tile.tile<8xf32> to !tile.tile<4xf32>
  return
}

// -----

// A dimension that the result does not have.
func.func @view_c3_leading_dimension(%t: !tile.tile<8x5xf32>, %i: index) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 8 and extent 1}}
  %0 = tile.view %t[%c8, %i] : !tile.tile<8x5xf32> to !tile.tile<5xf32>
  return
}

// -----

func.func @view_c3_step(%t: !tile.tile<8xf32>, %i: index) {
  %c2 = arith.constant 2 : index
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 2 and extent 4 at step 2}}
  %0 = tile.view %t[%c2] steps [2] : !tile.tile<8xf32> to !tile.tile<4xf32>
  return
}

// -----

func.func @view_c3_reversed(%t: !tile.tile<8xf32>, %i: index) {
  %c6 = arith.constant 6 : index
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 6 and extent 8 at step -1}}
  %0 = tile.view %t[%c6] steps [-1] : !tile.tile<8xf32> to !tile.tile<8xf32>
  return
}

// -----

// The view is outside of the source at any offset.
func.func @view_c3_no_room_for_steps(%t: !tile.tile<3x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 1, got offset 0 and extent 5 at step 2}}
  %0 = tile.view %t[%i, %i] steps [1, 2] : !tile.tile<3x8xf32> to !tile.tile<3x5xf32>
  return
}

// -----

func.func @view_c3_no_room_for_steps_back(%t: !tile.tile<8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 8 and extent 3 at step -4}}
  %0 = tile.view %t[%i] steps [-4] : !tile.tile<8xf32> to !tile.tile<3xf32>
  return
}

// -----

// The bounds check does not overflow.
func.func @view_c3_greatest_step(%t: !tile.tile<8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 0 and extent 2 at step 9223372036854775807}}
  %0 = tile.view %t[%i] steps [9223372036854775807] : !tile.tile<8xf32> to !tile.tile<2xf32>
  return
}

// -----

func.func @view_c3_least_step(%t: !tile.tile<8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected the box to lie inside the source's extent 8 of dimension 0, got offset 8 and extent 2 at step -9223372036854775808}}
  %0 = tile.view %t[%i] steps [-9223372036854775808] : !tile.tile<8xf32> to !tile.tile<2xf32>
  return
}

// -----

func.func @view_c4_number_of_steps(%t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected 2 steps (the source's rank), none zero, got [2]}}
  %0 = tile.view %t[%i, %i] steps [2] : !tile.tile<8x8xf32> to !tile.tile<4xf32>
  return
}

// -----

func.func @view_c4_step_zero(%t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.view' op expected 2 steps (the source's rank), none zero, got [1, 0]}}
  %0 = tile.view %t[%i, %i] steps [1, 0] : !tile.tile<8x8xf32> to !tile.tile<4x4xf32>
  return
}

// -----

func.func @view_step_of_run_time_value(%t: !tile.tile<8xf32>, %i: index) {
  // expected-error @below {{'tile.view' expected integer value}}
  // expected-error @below {{expected ']'}}
  %0 = tile.view %t[%i] steps [%i] : !tile.tile<8xf32> to !tile.tile<4xf32>
  return
}
