// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @pop_c1_rank_2(%s: !tile.tile<7x3xf32>, %n: i32, %m: !tile.tile<9xi1>) {
  // expected-error @below {{'tile.pop' op expected a stack of one dimension, got '!tile.tile<7x3xf32>'}}
  %0:3 = tile.pop %s, %n mask %m : !tile.tile<7x3xf32> to !tile.tile<9xf32>
  return
}

// -----

func.func @pop_c1_rank_0(%s: !tile.tile<f32>, %n: i32, %m: !tile.tile<9xi1>) {
  // expected-error @below {{'tile.pop' op expected a stack of one dimension, got '!tile.tile<f32>'}}
  %0:3 = tile.pop %s, %n mask %m : !tile.tile<f32> to !tile.tile<9xf32>
  return
}

// -----

func.func @pop_c2_element_type(%s: !tile.tile<7xf32>, %n: i32, %m: !tile.tile<9xi1>) {
  // expected-error @below {{'tile.pop' op expected values of at least one dimension and element type 'f32' (the stack's), got '!tile.tile<9xf64>'}}
  %0:3 = tile.pop %s, %n mask %m : !tile.tile<7xf32> to !tile.tile<9xf64>
  return
}

// -----

func.func @pop_c2_rank_0(%s: !tile.tile<7xf32>, %n: i32, %m: !tile.tile<i1>) {
  // expected-error @below {{'tile.pop' op expected values of at least one dimension and element type 'f32' (the stack's), got '!tile.tile<f32>'}}
  %0:3 = tile.pop %s, %n mask %m : !tile.tile<7xf32> to !tile.tile<f32>
  return
}

// -----

func.func @pop_c3_mask(%s: !tile.tile<7xf32>, %n: i32, %m: !tile.tile<9xi8>) {
  // expected-error @below {{'tile.pop' op failed to verify that mask has the values' shape and elements of i1}}
  %0:3 = "tile.pop"(%s, %n, %m) : (!tile.tile<7xf32>, i32, !tile.tile<9xi8>) -> (!tile.tile<9xf32>, i32, !tile.tile<9xi32>)
  return
}

// -----

func.func @pop_c3_places(%s: !tile.tile<7xf32>, %n: i32, %m: !tile.tile<9xi1>) {
  // expected-error @below {{'tile.pop' op failed to verify that places has the values' shape and elements of i32}}
  %0:3 = "tile.pop"(%s, %n, %m) : (!tile.tile<7xf32>, i32, !tile.tile<9xi1>) -> (!tile.tile<9xf32>, i32, !tile.tile<8xi32>)
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @pop_count_type(%s: !tile.tile<7xf32>, %n: index, %m: !tile.tile<9xi1>) {
  // expected-error @below {{use of value '%n' expects different type than prior uses: 'i32' vs 'index'}}
  %0:3 = tile.pop %s, %n mask %m : !tile.tile<7xf32> to !tile.tile<9xf32>
  return
}

// -----

func.func @pop_without_count(%s: !tile.tile<7xf32>, %m: !tile.tile<9xi1>) {
  // expected-error @below {{expected ','}}
  %0:3 = tile.pop %s mask %m : !tile.tile<7xf32> to !tile.tile<9xf32>
  return
}
