// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @reduce_c1_axis_too_large(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.reduce' op expected an axis below the rank 2, got 2}}
  %0 = tile.reduce add %t axis 2 : !tile.tile<8x4xf32> to !tile.tile<8xf32>
  return
}

// -----

func.func @reduce_c1_axis_negative(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.reduce' op expected an axis below the rank 2, got -1}}
  %0 = tile.reduce add %t axis -1 : !tile.tile<8x4xf32> to !tile.tile<8xf32>
  return
}

// -----

func.func @reduce_c1_rank_0(%t: !tile.tile<f32>) {
  // expected-error @below {{'tile.reduce' op expected an axis below the rank 0, got 0}}
  %0 = tile.reduce add %t axis 0 : !tile.tile<f32> to !tile.tile<f32>
  return
}

// -----

func.func @reduce_c2_shape(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.reduce' op expected a result of shape [8], got [4]}}
  %0 = tile.reduce add %t axis 1 : !tile.tile<8x4xf32> to !tile.tile<4xf32>
  return
}

// -----

func.func @reduce_c2_full_reduction(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.reduce' op expected a result of shape [], got [1]}}
  %0 = tile.reduce add %t : !tile.tile<8x4xf32> to !tile.tile<1xf32>
  return
}

// -----

func.func @reduce_c2_element_type(%t: !tile.tile<8xf16>) {
  // expected-error @below {{'tile.reduce' op expected element type 'f16' (the source's), got 'f32'}}
  %0 = tile.reduce add %t : !tile.tile<8xf16> to !tile.tile<f32>
  return
}

// -----

func.func @reduce_c3_complex_order(%t: !tile.tile<8xcomplex<f32>>) {
  // expected-error @below {{'tile.reduce' op expected an ordered element type for 'max', got 'complex<f32>'}}
  %0 = tile.reduce max %t : !tile.tile<8xcomplex<f32>> to !tile.tile<complex<f32>>
  return
}

// -----

func.func @reduce_c3_unsigned_float(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected an integer element type for 'umin', got 'f32'}}
  %0 = tile.reduce umin %t : !tile.tile<8xf32> to !tile.tile<f32>
  return
}

// -----

func.func @reduce_unknown_kind(%t: !tile.tile<8xf32>) {
  // expected-error @below {{custom op 'tile.reduce' expected kind of reduction add, mul, min, max, umin or umax, got 'xor'}}
  %0 = tile.reduce xor %t : !tile.tile<8xf32> to !tile.tile<f32>
  return
}
