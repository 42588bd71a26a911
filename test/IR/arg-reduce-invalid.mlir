// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @arg_reduce_c1(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.arg_reduce' op expected an axis below the rank 1, got 1}}
  %0:2 = tile.arg_reduce max %t axis 1 : !tile.tile<8xf32> to !tile.tile<f32>, !tile.tile<i32>
  return
}

// -----

func.func @arg_reduce_c2_shape(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.arg_reduce' op expected results of shape [8], got [4]}}
  %0:2 = tile.arg_reduce max %t axis 1 : !tile.tile<8x4xf32> to !tile.tile<8xf32>, !tile.tile<4xi32>
  return
}

// -----

func.func @arg_reduce_c2_element(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.arg_reduce' op expected a value of element type 'f32' (the source's), got 'f64'}}
  %0:2 = tile.arg_reduce max %t : !tile.tile<8xf32> to !tile.tile<f64>, !tile.tile<i32>
  return
}

// -----

func.func @arg_reduce_c3_kind(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.arg_reduce' op expected kind min, max, umin or umax, got 'add'}}
  %0:2 = tile.arg_reduce add %t : !tile.tile<8xf32> to !tile.tile<f32>, !tile.tile<i32>
  return
}

// -----

func.func @arg_reduce_c3_element(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.arg_reduce' op expected an integer element type for 'umax', got 'f32'}}
  %0:2 = tile.arg_reduce umax %t : !tile.tile<8xf32> to !tile.tile<f32>, !tile.tile<i32>
  return
}

// -----

func.func @arg_reduce_c4(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.arg_reduce' op expected an index of element type i32, i64 or index, got 'i16'}}
  %0:2 = tile.arg_reduce max %t : !tile.tile<8xf32> to !tile.tile<f32>, !tile.tile<i16>
  return
}
