// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @histogram_c1_rank(%t: !tile.tile<i32>) {
  // expected-error @below {{'tile.histogram' op expected a source of at least one dimension and elements of i8, i16, i32, i64 or index, got '!tile.tile<i32>'}}
  %0 = tile.histogram %t : !tile.tile<i32> to !tile.tile<100xi32>
  return
}

// -----

func.func @histogram_c1_floats(%t: !tile.tile<8x12xf32>) {
  // expected-error @below {{'tile.histogram' op expected a source of at least one dimension and elements of i8, i16, i32, i64 or index, got '!tile.tile<8x12xf32>'}}
  %0 = tile.histogram %t : !tile.tile<8x12xf32> to !tile.tile<100xi32>
  return
}

// -----

func.func @histogram_c1_bool(%t: !tile.tile<8x12xi1>) {
  // expected-error @below {{'tile.histogram' op expected a source of at least one dimension and elements of i8, i16, i32, i64 or index, got '!tile.tile<8x12xi1>'}}
  %0 = tile.histogram %t : !tile.tile<8x12xi1> to !tile.tile<100xi32>
  return
}

// -----

func.func @histogram_c2_rank(%t: !tile.tile<8x12xi32>) {
  // expected-error @below {{'tile.histogram' op expected a result of one dimension and elements of i32 or i64, got '!tile.tile<10x10xi32>'}}
  %0 = tile.histogram %t : !tile.tile<8x12xi32> to !tile.tile<10x10xi32>
  return
}

// -----

func.func @histogram_c2_element_type(%t: !tile.tile<8x12xi32>) {
  // expected-error @below {{'tile.histogram' op expected a result of one dimension and elements of i32 or i64, got '!tile.tile<100xi16>'}}
  %0 = tile.histogram %t : !tile.tile<8x12xi32> to !tile.tile<100xi16>
  return
}

// -----

func.func @histogram_c2_index(%t: !tile.tile<8x12xi32>) {
  // expected-error @below {{'tile.histogram' op expected a result of one dimension and elements of i32 or i64, got '!tile.tile<100xindex>'}}
  %0 = tile.histogram %t : !tile.tile<8x12xi32> to !tile.tile<100xindex>
  return
}

// -----

func.func @histogram_c3_shape(%t: !tile.tile<8x12xi32>, %m: !tile.tile<12xi1>) {
  // expected-error @below {{'tile.histogram' op expected a mask of shape [8, 12] and element type i1, got '!tile.tile<12xi1>'}}
  %0 = tile.histogram %t mask %m : !tile.tile<12xi1> : !tile.tile<8x12xi32> to !tile.tile<100xi32>
  return
}

// -----

func.func @histogram_c3_element_type(%t: !tile.tile<8x12xi32>, %m: !tile.tile<8x12xi32>) {
  // expected-error @below {{'tile.histogram' op expected a mask of shape [8, 12] and element type i1, got '!tile.tile<8x12xi32>'}}
  %0 = tile.histogram %t mask %m : !tile.tile<8x12xi32> : !tile.tile<8x12xi32> to !tile.tile<100xi32>
  return
}
