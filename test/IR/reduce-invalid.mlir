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
  // expected-error @below {{custom op 'tile.reduce' expected kind of reduction add, mul, min, max, umin, umax, and, or or xor, got 'nand'}}
  %0 = tile.reduce nand %t : !tile.tile<8xf32> to !tile.tile<f32>
  return
}

// -----

func.func @reduce_c2_keep(%t: !tile.tile<8x4xf32>) {
  // expected-error @below {{'tile.reduce' op expected a result of shape [8, 1], got [8]}}
  %0 = tile.reduce add %t axis 1 keep : !tile.tile<8x4xf32> to !tile.tile<8xf32>
  return
}

// -----

func.func @reduce_c2_results(%t: !tile.tile<8xi32>) {
  // expected-error @below {{'tile.reduce' op expected 1 results (one for each source), got 2}}
  %0:2 = tile.reduce add %t : !tile.tile<8xi32> to !tile.tile<i32>, !tile.tile<i32>
  return
}

// -----

func.func @reduce_c3_bits_of_float(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected an integer element type for 'and', got 'f32'}}
  %0 = tile.reduce and %t : !tile.tile<8xf32> to !tile.tile<f32>
  return
}

// -----

func.func @reduce_c4_neither(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected a kind or one region, got regions: 0}}
  %0 = tile.reduce %t : !tile.tile<8xf32> to !tile.tile<f32>
  return
}

// -----

func.func @reduce_c4_both(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected a kind or one region, got a kind and regions: 1}}
  %0 = tile.reduce add %t : !tile.tile<8xf32> to !tile.tile<f32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c4_two_of_a_kind(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected one source with a kind, got 2}}
  %0:2 = tile.reduce add %t, %t : !tile.tile<8xf32>, !tile.tile<8xf32> to !tile.tile<f32>, !tile.tile<f32>
  return
}

// -----

func.func @reduce_c4_shapes(%t: !tile.tile<8xf32>, %u: !tile.tile<4xf32>) {
  // expected-error @below {{'tile.reduce' op expected sources of shape [8] (the first one's), got '!tile.tile<4xf32>'}}
  %0:2 = tile.reduce %t, %u identity [0.0 : f32, 0.0 : f32] : !tile.tile<8xf32>, !tile.tile<4xf32> to !tile.tile<f32>, !tile.tile<f32> {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @reduce_c4_identity_of_a_kind(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected no identity with a kind}}
  %0 = tile.reduce add %t identity [0.0 : f32] : !tile.tile<8xf32> to !tile.tile<f32>
  return
}

// -----

func.func @reduce_c5_identities(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected an identity for each of 1 sources, got 0}}
  %0 = tile.reduce %t : !tile.tile<8xf32> to !tile.tile<f32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c5_identity_type(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected an identity of type 'f32' (the source's element type), got 0 : i32}}
  %0 = tile.reduce %t identity [0 : i32] : !tile.tile<8xf32> to !tile.tile<f32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c5_arguments(%t: !tile.tile<8xf32>) {
  // expected-error @below {{'tile.reduce' op expected a region with arguments of 'f32', 'f32', got 'f32'}}
  %0 = tile.reduce %t identity [0.0 : f32] : !tile.tile<8xf32> to !tile.tile<f32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c5_yield(%t: !tile.tile<8xf32>) {
  %0 = tile.reduce %t identity [0.0 : f32] : !tile.tile<8xf32> to !tile.tile<f32> {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{'tile.yield' op expected elements of 'f32', got 'f32', 'f32'}}
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----

func.func @reduce_c6(%t: !tile.tile<8xf32>, %a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tile.reduce %t identity [0.0 : f32] : !tile.tile<8xf32> to !tile.tile<f32> {
  ^bb0(%b: f32, %c: f32):
    // expected-error @below {{expected an operation on scalars without side effects in the region of 'tile.reduce', got 'memref.load'}}
    %n = memref.load %a[%c0] : memref<8xf32>
    tile.yield %b : f32
  }
  return
}
