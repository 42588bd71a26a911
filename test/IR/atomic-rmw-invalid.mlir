// RUN: tile-opt %s -verify-diagnostics -split-input-file

tile.kernel @atomic_rmw_c1_number_of_offsets(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4xf32>
  // expected-error @below {{'tile.atomic_rmw' op expected 1 offsets (the array's rank), got 2}}
  %o = tile.atomic_rmw add %t, %a[%i, %i] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c2_rank(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4x4xf32>
  // expected-error @below {{'tile.atomic_rmw' op expected a tile of rank at most 1 (the array's), got rank 2}}
  %o = tile.atomic_rmw add %t, %a[%i] : !tile.tile<4x4xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c3_element_type(%a: memref<?xf32>, %i: index, %x: f16) {
  %t = tile.fill %x : !tile.tile<4xf16>
  // expected-error @below {{'tile.atomic_rmw' op expected element type 'f32' (the array's), got 'f16'}}
  %o = tile.atomic_rmw add %t, %a[%i] : !tile.tile<4xf16>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c4_bits_of_floats(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4xf32>
  // expected-error @below {{'tile.atomic_rmw' op expected elements of i8, i16, i32, i64 or index for 'xor', got 'f32'}}
  %o = tile.atomic_rmw xor %t, %a[%i] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c4_complex(%a: memref<?xcomplex<f32>>, %i: index) {
  %t = tile.load %a[%i] : memref<?xcomplex<f32>> -> !tile.tile<4xcomplex<f32>>
  // expected-error @below {{'tile.atomic_rmw' op expected elements of i8, i16, i32, i64, index, f16, bf16, f32 or f64 for 'add', got 'complex<f32>'}}
  %o = tile.atomic_rmw add %t, %a[%i] : !tile.tile<4xcomplex<f32>>, memref<?xcomplex<f32>>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c4_bool(%a: memref<?xi1>, %i: index, %x: i1) {
  %t = tile.fill %x : !tile.tile<4xi1>
  // expected-error @below {{'tile.atomic_rmw' op expected elements of i8, i16, i32, i64, index, f16, bf16, f32 or f64 for 'exchange', got 'i1'}}
  %o = tile.atomic_rmw exchange %t, %a[%i] : !tile.tile<4xi1>, memref<?xi1>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c5_nothing_expected(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4xf32>
  // expected-error @below {{'tile.atomic_rmw' op expected an 'expected' tile for 'compare_exchange'}}
  %o = tile.atomic_rmw compare_exchange %t, %a[%i] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_c5_expected(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4xf32>
  // expected-error @below {{'tile.atomic_rmw' op expected no 'expected' tile for 'add'}}
  %o = tile.atomic_rmw add %t, %a[%i] expected %t : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @atomic_rmw_kind(%a: memref<?xf32>, %i: index, %x: f32) {
  %t = tile.fill %x : !tile.tile<4xf32>
  // expected-error @below {{expected kind of atomic update add, min, max, umin, umax, and, or, xor, exchange or compare_exchange, got 'sub'}}
  %o = tile.atomic_rmw sub %t, %a[%i] : !tile.tile<4xf32>, memref<?xf32>
  tile.return
}

// -----

func.func @atomic_rmw_c6(%t: !tile.tile<8xi32>, %m: !tile.tile<4xi1>, %a: memref<?xi32>, %c: index) {
  // expected-error @below {{'tile.atomic_rmw' op expected a mask of shape [8] and element type i1, got '!tile.tile<4xi1>'}}
  %0 = tile.atomic_rmw add %t, %a[%c] mask %m : !tile.tile<4xi1> : !tile.tile<8xi32>, memref<?xi32>
  return
}

// -----

func.func @atomic_rmw_c7(%t: !tile.tile<8xi32>, %a: memref<?x?xi32>, %c: index) {
  // expected-error @below {{'tile.atomic_rmw' op expected 'dims' of 1 (the tile's rank) different dimensions of the array, from 0 to 1, got [2]}}
  %0 = tile.atomic_rmw add %t, %a[%c, %c] dims [2] : !tile.tile<8xi32>, memref<?x?xi32>
  return
}
