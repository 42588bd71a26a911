// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @iota_c1_axis_too_large() {
  // expected-error @below {{'tile.iota' op expected an axis below the rank 2, got 2}}
  %t = tile.iota axis 2 : !tile.tile<4x4xi32>
  return
}

// -----

func.func @iota_c1_axis_negative() {
  // expected-error @below {{'tile.iota' op expected an axis below the rank 2, got -1}}
  %t = tile.iota axis -1 : !tile.tile<4x4xi32>
  return
}

// -----

func.func @iota_c1_rank_0() {
  // expected-error @below {{'tile.iota' op expected an axis below the rank 0, got 0}}
  %t = tile.iota axis 0 : !tile.tile<i32>
  return
}

// -----

func.func @iota_c2_i1() {
  // expected-error @below {{'tile.iota' op expected an element type of integers, index, or floating point of 16 bits and more, got 'i1'}}
  %t = tile.iota axis 0 : !tile.tile<4xi1>
  return
}

// -----

func.func @iota_c2_f8() {
  // expected-error @below {{'tile.iota' op expected an element type of integers, index, or floating point of 16 bits and more, got 'f8E4M3FN'}}
  %t = tile.iota axis 0 : !tile.tile<4xf8E4M3FN>
  return
}

// -----

func.func @iota_c2_complex() {
  // expected-error @below {{'tile.iota' op expected an element type of integers, index, or floating point of 16 bits and more, got 'complex<f32>'}}
  %t = tile.iota axis 0 : !tile.tile<4xcomplex<f32>>
  return
}

// -----

func.func @iota_c3(%x: f32, %y: f64) {
  // expected-error @below {{'tile.iota' op failed to verify that start has the tile's element type}}
  %0 = "tile.iota"(%y, %y) {axis = 0 : i64} : (f64, f64) -> !tile.tile<8xf32>
  return
}
