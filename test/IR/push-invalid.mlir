// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @push_c1_rank_2(%v: !tile.tile<9xf32>, %m: !tile.tile<9xi1>, %s: !tile.tile<7x3xf32>, %n: i32) {
  // expected-error @below {{'tile.push' op expected a stack of one dimension, got '!tile.tile<7x3xf32>'}}
  %0:3 = tile.push %v mask %m onto %s, %n : !tile.tile<9xf32> onto !tile.tile<7x3xf32>
  return
}

// -----

func.func @push_c1_rank_0(%v: !tile.tile<9xf32>, %m: !tile.tile<9xi1>, %s: !tile.tile<f32>, %n: i32) {
  // expected-error @below {{'tile.push' op expected a stack of one dimension, got '!tile.tile<f32>'}}
  %0:3 = tile.push %v mask %m onto %s, %n : !tile.tile<9xf32> onto !tile.tile<f32>
  return
}

// -----

func.func @push_c2_element_type(%v: !tile.tile<9xi32>, %m: !tile.tile<9xi1>, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{'tile.push' op expected values of at least one dimension and element type 'f32' (the stack's), got '!tile.tile<9xi32>'}}
  %0:3 = tile.push %v mask %m onto %s, %n : !tile.tile<9xi32> onto !tile.tile<7xf32>
  return
}

// -----

func.func @push_c2_rank_0(%v: !tile.tile<f32>, %m: !tile.tile<i1>, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{'tile.push' op expected values of at least one dimension and element type 'f32' (the stack's), got '!tile.tile<f32>'}}
  %0:3 = tile.push %v mask %m onto %s, %n : !tile.tile<f32> onto !tile.tile<7xf32>
  return
}

// -----

func.func @push_c3_mask(%v: !tile.tile<9xf32>, %m: !tile.tile<8xi1>, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{'tile.push' op failed to verify that mask has the values' shape and elements of i1}}
  %0:3 = "tile.push"(%v, %m, %s, %n) : (!tile.tile<9xf32>, !tile.tile<8xi1>, !tile.tile<7xf32>, i32) -> (!tile.tile<7xf32>, i32, !tile.tile<9xi32>)
  return
}

// -----

func.func @push_c3_places(%v: !tile.tile<9xf32>, %m: !tile.tile<9xi1>, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{'tile.push' op failed to verify that places has the values' shape and elements of i32}}
  %0:3 = "tile.push"(%v, %m, %s, %n) : (!tile.tile<9xf32>, !tile.tile<9xi1>, !tile.tile<7xf32>, i32) -> (!tile.tile<7xf32>, i32, !tile.tile<9xi64>)
  return
}

// -----

func.func @push_result(%v: !tile.tile<9xf32>, %m: !tile.tile<9xi1>, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{'tile.push' op failed to verify that all of {stack, result} have same type}}
  %0:3 = "tile.push"(%v, %m, %s, %n) : (!tile.tile<9xf32>, !tile.tile<9xi1>, !tile.tile<7xf32>, i32) -> (!tile.tile<8xf32>, i32, !tile.tile<9xi32>)
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @push_mask_type(%v: !tile.tile<9xf32>, %m: !tile.tile<9xi8>, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{use of value '%m' expects different type than prior uses: '!tile.tile<9xi1>' vs '!tile.tile<9xi8>'}}
  %0:3 = tile.push %v mask %m onto %s, %n : !tile.tile<9xf32> onto !tile.tile<7xf32>
  return
}

// -----

func.func @push_without_mask(%v: !tile.tile<9xf32>, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{expected 'mask'}}
  %0:3 = tile.push %v onto %s, %n : !tile.tile<9xf32> onto !tile.tile<7xf32>
  return
}

// -----

func.func @push_of_scalar(%v: f32, %m: i1, %s: !tile.tile<7xf32>, %n: i32) {
  // expected-error @below {{'values' must be tile, but got 'f32'}}
  %0:3 = tile.push %v mask %m onto %s, %n : f32 onto !tile.tile<7xf32>
  return
}
