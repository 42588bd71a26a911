// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @take_c1(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xi32>) {
  // expected-error @below {{'tile.take' op expected an axis below the rank 2, got 2}}
  %0 = tile.take %t at %i axis 2 : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf32>
  return
}

// -----

func.func @take_c1_negative(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xi32>) {
  // expected-error @below {{'tile.take' op expected an axis below the rank 2, got -1}}
  %0 = tile.take %t at %i axis -1 : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf32>
  return
}

// -----

func.func @take_c1_rank_0(%t: !tile.tile<f32>, %i: !tile.tile<i32>) {
  // expected-error @below {{'tile.take' op expected an axis below the rank 0, got 0}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<f32>, !tile.tile<i32> to !tile.tile<f32>
  return
}

// -----

func.func @take_c2_extent(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xi32>) {
  // expected-error @below {{'tile.take' op expected a result of the source's extents but along axis 0, and its element type, got '!tile.tile<100x8xf32>' and '!tile.tile<64x9xf32>'}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x8xf32>
  return
}

// -----

func.func @take_c2_rank(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100xi32>) {
  // expected-error @below {{'tile.take' op expected a result of the source's extents but along axis 0, and its element type, got '!tile.tile<100xf32>' and '!tile.tile<64x9xf32>'}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100xi32> to !tile.tile<100xf32>
  return
}

// -----

func.func @take_c2_element_type(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xi32>) {
  // expected-error @below {{'tile.take' op expected a result of the source's extents but along axis 0, and its element type, got '!tile.tile<100x9xf16>' and '!tile.tile<64x9xf32>'}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf16>
  return
}

// -----

func.func @take_c3_rank(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100xi32>) {
  // expected-error @below {{'tile.take' op expected indices of shape [100, 9] (the result's), or of extent one instead, got [100]}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100xi32> to !tile.tile<100x9xf32>
  return
}

// -----

func.func @take_c3_extent(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x3xi32>) {
  // expected-error @below {{'tile.take' op expected indices of shape [100, 9] (the result's), or of extent one instead, got [100, 3]}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x3xi32> to !tile.tile<100x9xf32>
  return
}

// -----

func.func @take_c3_element_type(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xf32>) {
  // expected-error @below {{'tile.take' op expected indices of element type i8, i16, i32, i64 or index, got 'f32'}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x1xf32> to !tile.tile<100x9xf32>
  return
}

// -----

func.func @take_c3_bool(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xi1>) {
  // expected-error @below {{'tile.take' op expected indices of element type i8, i16, i32, i64 or index, got 'i1'}}
  %0 = tile.take %t at %i axis 0 : !tile.tile<64x9xf32>, !tile.tile<100x1xi1> to !tile.tile<100x9xf32>
  return
}

// -----

func.func @take_from_array(%t: memref<64x9xf32>, %i: !tile.tile<100x1xi32>) {
  // expected-error @below {{'tile.take' op operand #0 must be tile, or buffer in shared memory, but got 'memref<64x9xf32>'}}
  %0 = tile.take %t at %i axis 0 : memref<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf32>
  return
}

// -----

func.func @take_without_axis(%t: !tile.tile<64x9xf32>, %i: !tile.tile<100x1xi32>) {
  // expected-error @below {{expected 'axis'}}
  %0 = tile.take %t at %i : !tile.tile<64x9xf32>, !tile.tile<100x1xi32> to !tile.tile<100x9xf32>
  return
}
