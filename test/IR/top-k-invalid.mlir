// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @top_k_c1_axis(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{'tile.top_k' op expected an axis below the rank 2, got 2}}
  %v, %i = tile.top_k %t axis 2 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>
  return
}

// -----

func.func @top_k_c1_extent(%t: !tile.tile<4x4097xf32>) {
  // expected-error @below {{'tile.top_k' op expected at most 4096 elements along axis 1, got 4097}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x4097xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>
  return
}

// -----

func.func @top_k_c2_complex(%t: !tile.tile<4x100xcomplex<f64>>) {
  // expected-error @below {{'tile.top_k' op expected ordered keys, got 'complex<f64>'}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xcomplex<f64>> to !tile.tile<4x8xcomplex<f64>>, !tile.tile<4x8xi32>
  return
}

// -----

func.func @top_k_c2_unsigned(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{'tile.top_k' op expected integer keys, got 'f32'}}
  %v, %i = tile.top_k %t axis 1 unsigned : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>
  return
}

// -----

func.func @top_k_c3_extents(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{'tile.top_k' op expected values of the source's extents but along axis 1, and its element type, got '!tile.tile<3x8xf32>' and '!tile.tile<4x100xf32>'}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<3x8xf32>, !tile.tile<3x8xi32>
  return
}

// -----

func.func @top_k_c3_element_type(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{'tile.top_k' op expected values of the source's extents but along axis 1, and its element type, got '!tile.tile<4x8xf64>' and '!tile.tile<4x100xf32>'}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf64>, !tile.tile<4x8xi32>
  return
}

// -----

func.func @top_k_c3_too_many(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{'tile.top_k' op expected at most 100 elements along axis 1 (the source's), got 101}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x101xf32>, !tile.tile<4x101xi32>
  return
}

// -----

func.func @top_k_c3_indices(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{'tile.top_k' op expected indices of shape [4, 8] (the values') and element type i32, i64 or index, got '!tile.tile<4x7xi32>'}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x7xi32>
  return
}

// -----

func.func @top_k_c3_index_type(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{'tile.top_k' op expected indices of shape [4, 8] (the values') and element type i32, i64 or index, got '!tile.tile<4x8xi16>'}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi16>
  return
}

// -----

func.func @top_k_one_result_type(%t: !tile.tile<4x100xf32>) {
  // expected-error @below {{expected ','}}
  %v, %i = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>
  return
}
