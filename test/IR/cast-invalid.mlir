// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @cast_c1_shape(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.cast' op expected a result of shape [8, 4] (the source's), got [4, 8]}}
  %0 = tile.cast %t : !tile.tile<8x4xf32> to !tile.tile<4x8xf16>
  return
}

// -----

func.func @cast_c2_from_complex(%t: !tile.tile<4xcomplex<f32>>) {
  // expected-error @below {{'tile.cast' op expected element types that are not complex, got 'complex<f32>' and 'f32'}}
  %0 = tile.cast %t : !tile.tile<4xcomplex<f32>> to !tile.tile<4xf32>
  return
}

// -----

func.func @cast_c2_between_complex(%t: !tile.tile<4xcomplex<f32>>) {
  // expected-error @below {{'tile.cast' op expected element types that are not complex, got 'complex<f32>' and 'complex<f64>'}}
  %0 = tile.cast %t : !tile.tile<4xcomplex<f32>> to !tile.tile<4xcomplex<f64>>
  return
}

// -----

func.func @cast_c3_width(%t: !tile.tile<4xf32>) {
  // expected-error @below {{'tile.cast' op expected element types of the same width for a bitcast, got 'f32' and 'i16'}}
  %0 = tile.cast %t bitcast : !tile.tile<4xf32> to !tile.tile<4xi16>
  return
}

// -----

func.func @cast_c3_index(%t: !tile.tile<4xindex>) {
  // expected-error @below {{'tile.cast' op expected element types of the same width for a bitcast, got 'index' and 'i64'}}
  %0 = tile.cast %t bitcast : !tile.tile<4xindex> to !tile.tile<4xi64>
  return
}
