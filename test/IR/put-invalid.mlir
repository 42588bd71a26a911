// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @put_c1(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{'tile.put' op expected an axis below the rank 2, got 2}}
  %0 = tile.put %v into %t at %i axis 2 : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c2_extent(%v: !tile.tile<100x8xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{'tile.put' op expected values of the tile's extents but along axis 0, and its element type, got '!tile.tile<100x8xi32>' and '!tile.tile<64x9xi32>'}}
  %0 = tile.put %v into %t at %i axis 0 : !tile.tile<100x8xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c2_element_type(%v: !tile.tile<100x9xi64>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{'tile.put' op expected values of the tile's extents but along axis 0, and its element type, got '!tile.tile<100x9xi64>' and '!tile.tile<64x9xi32>'}}
  %0 = tile.put %v into %t at %i axis 0 : !tile.tile<100x9xi64>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c3_rank(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{'tile.put' op expected indices of shape [100, 9] (the values'), or of extent one instead, got [100]}}
  %0 = tile.put %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<100xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c3_extent(%v: !tile.tile<100x9xi32>, %i: !tile.tile<64x1xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{'tile.put' op expected indices of shape [100, 9] (the values'), or of extent one instead, got [64, 1]}}
  %0 = tile.put %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<64x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c3_element_type(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xf16>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{'tile.put' op expected indices of element type i8, i16, i32, i64 or index, got 'f16'}}
  %0 = tile.put %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<100x1xf16> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c4_shape(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>, %m: !tile.tile<100x1xi1>) {
  // expected-error @below {{'tile.put' op expected a mask of shape [100, 9] and element type i1, got '!tile.tile<100x1xi1>'}}
  %0 = tile.put %v into %t at %i axis 0 mask %m : !tile.tile<100x1xi1> : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c4_element_type(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>, %m: !tile.tile<100x9xi32>) {
  // expected-error @below {{'tile.put' op expected a mask of shape [100, 9] and element type i1, got '!tile.tile<100x9xi32>'}}
  %0 = tile.put %v into %t at %i axis 0 mask %m : !tile.tile<100x9xi32> : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c5_compare_exchange(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{'tile.put' op expected a kind other than 'compare_exchange'}}
  %0 = tile.put compare_exchange %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_c5_bits_of_floats(%v: !tile.tile<100x9xf32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xf32>) {
  // expected-error @below {{'tile.put' op expected elements of i8, i16, i32, i64 or index for 'or', got 'f32'}}
  %0 = tile.put or %v into %t at %i axis 0 : !tile.tile<100x9xf32>, !tile.tile<100x1xi32> into !tile.tile<64x9xf32>
  return
}

// -----

func.func @put_c5_complex(%v: !tile.tile<100x9xcomplex<f32>>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xcomplex<f32>>) {
  // expected-error @below {{'tile.put' op expected elements of i8, i16, i32, i64, index, f16, bf16, f32 or f64 for 'add', got 'complex<f32>'}}
  %0 = tile.put add %v into %t at %i axis 0 : !tile.tile<100x9xcomplex<f32>>, !tile.tile<100x1xi32> into !tile.tile<64x9xcomplex<f32>>
  return
}

// -----

func.func @put_result_type(%v: !tile.tile<5xi32>, %i: !tile.tile<5xi32>, %t: !tile.tile<9xi32>) {
  // expected-error @below {{'tile.put' op failed to verify that all of {dest, result} have same type}}
  %0 = "tile.put"(%v, %t, %i) <{axis = 0 : i64}> : (!tile.tile<5xi32>, !tile.tile<9xi32>, !tile.tile<5xi32>) -> !tile.tile<8xi32>
  return
}

// -----

func.func @put_kind_unknown(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{expected kind of atomic update add, min, max, umin, umax, and, or, xor, exchange or compare_exchange, got 'sub'}}
  %0 = tile.put sub %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_kind_of_number(%v: !tile.tile<100x9xi32>, %i: !tile.tile<100x1xi32>, %t: !tile.tile<64x9xi32>) {
  // expected-error @below {{expected kind of atomic update add, min, max, umin, umax, and, or, xor, exchange or compare_exchange}}
  %0 = tile.put 3 %v into %t at %i axis 0 : !tile.tile<100x9xi32>, !tile.tile<100x1xi32> into !tile.tile<64x9xi32>
  return
}

// -----

func.func @put_without_place(%v: !tile.tile<5xi32>, %t: !tile.tile<9xi32>) {
  // expected-error @below {{expected 'at'}}
  %0 = tile.put %v into %t axis 0 : !tile.tile<5xi32>, !tile.tile<5xi32> into !tile.tile<9xi32>
  return
}
