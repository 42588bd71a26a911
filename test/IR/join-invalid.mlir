// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @join_c1_none() {
  // expected-error @below {{'tile.join' op expected at least one part}}
  %0 = "tile.join"() {axis = 0 : i64} : () -> !tile.tile<4xf32>
  return
}

// -----

func.func @join_c1_axis(%t: !tile.tile<4xf32>) {
  // expected-error @below {{'tile.join' op expected an axis below the rank 1, got 1}}
  %0 = tile.join %t axis 1 : !tile.tile<4xf32> to !tile.tile<4xf32>
  return
}

// -----

func.func @join_c2_extent(%t: !tile.tile<4x3xf32>, %u: !tile.tile<5x3xf32>) {
  // expected-error @below {{'tile.join' op expected parts of the result's extents but along axis 1, and its element type, got '!tile.tile<5x3xf32>' and '!tile.tile<4x6xf32>'}}
  %0 = tile.join %t, %u axis 1 : !tile.tile<4x3xf32>, !tile.tile<5x3xf32> to !tile.tile<4x6xf32>
  return
}

// -----

func.func @join_c2_sum(%t: !tile.tile<4x3xf32>) {
  // expected-error @below {{'tile.join' op expected a result of extent 6 along axis 1 (that of the parts), got 7}}
  %0 = tile.join %t, %t axis 1 : !tile.tile<4x3xf32>, !tile.tile<4x3xf32> to !tile.tile<4x7xf32>
  return
}
