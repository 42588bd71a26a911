// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @sort_c1_axis(%t: !tile.tile<9xf32>) {
  // expected-error @below {{'tile.sort' op expected an axis below the rank 1, got 1}}
  %0 = tile.sort %t axis 1 : !tile.tile<9xf32>
  return
}

// -----

func.func @sort_c1_axis_negative(%t: !tile.tile<9xf32>) {
  // expected-error @below {{'tile.sort' op expected an axis below the rank 1, got -1}}
  %0 = tile.sort %t axis -1 : !tile.tile<9xf32>
  return
}

// -----

func.func @sort_c1_rank_0(%t: !tile.tile<f32>) {
  // expected-error @below {{'tile.sort' op expected an axis below the rank 0, got 0}}
  %0 = tile.sort %t axis 0 : !tile.tile<f32>
  return
}

// -----

func.func @sort_c1_extent(%t: !tile.tile<2x4097xf32>) {
  // expected-error @below {{'tile.sort' op expected at most 4096 elements along axis 1, got 4097}}
  %0 = tile.sort %t axis 1 : !tile.tile<2x4097xf32>
  return
}

// -----

func.func @sort_c2_complex(%t: !tile.tile<9xcomplex<f32>>) {
  // expected-error @below {{'tile.sort' op expected ordered keys, got 'complex<f32>'}}
  %0 = tile.sort %t axis 0 : !tile.tile<9xcomplex<f32>>
  return
}

// -----

func.func @sort_c2_unsigned(%t: !tile.tile<9xf32>) {
  // expected-error @below {{'tile.sort' op expected integer keys, got 'f32'}}
  %0 = tile.sort %t axis 0 unsigned : !tile.tile<9xf32>
  return
}

// -----

func.func @sort_c3(%t: !tile.tile<9xf32>, %u: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.sort' op expected tiles of shape [9] (the keys'), got '!tile.tile<8xf32>'}}
  %0:2 = tile.sort %t, %u axis 0 : !tile.tile<9xf32>, !tile.tile<8xf32>
  return
}

// -----

func.func @sort_c4_type(%t: !tile.tile<9xf32>) {
  // expected-error @below {{'tile.sort' op expected results of the sources' types '!tile.tile<9xf32>', got '!tile.tile<9xi32>'}}
  %0 = "tile.sort"(%t) <{axis = 0 : i64}> : (!tile.tile<9xf32>) -> !tile.tile<9xi32>
  return
}

// -----

func.func @sort_c4_number(%t: !tile.tile<9xf32>) {
  // expected-error @below {{'tile.sort' op expected results of the sources' types '!tile.tile<9xf32>', got '!tile.tile<9xf32>', '!tile.tile<9xf32>'}}
  %0:2 = "tile.sort"(%t) <{axis = 0 : i64}> : (!tile.tile<9xf32>) -> (!tile.tile<9xf32>, !tile.tile<9xf32>)
  return
}

// -----

func.func @sort_nothing() {
  // expected-error @below {{'tile.sort' op expected keys to sort}}
  "tile.sort"() <{axis = 0 : i64}> : () -> ()
  return
}

// -----

func.func @sort_without_axis(%t: !tile.tile<9xf32>) {
  // expected-error @below {{expected 'axis'}}
  %0 = tile.sort %t : !tile.tile<9xf32>
  return
}

// -----

func.func @sort_number_of_types(%t: !tile.tile<9xf32>) {
  // expected-error @below {{number of operands and types do not match: got 2 operands and 1 types}}
  %0:2 = tile.sort %t, %t axis 0 : !tile.tile<9xf32>
  return
}
