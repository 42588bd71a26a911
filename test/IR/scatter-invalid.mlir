// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @scatter_c1(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected 2 offsets (the array's rank), got 1}}
  tile.scatter %t, %a[%c] at %i axis 0 : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c2(%a: memref<?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected a tile of rank at most 1 (the array's), got rank 2}}
  tile.scatter %t, %a[%c] at %i axis 0 : !tile.tile<8x4xf32>, memref<?xf32>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c3(%a: memref<?x?xf64>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected element type 'f64' (the array's), got 'f32'}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 : !tile.tile<8x4xf32>, memref<?x?xf64>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c4(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected an axis below the rank 2, got 2}}
  tile.scatter %t, %a[%c, %c] at %i axis 2 : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c5_rank(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected indices of shape [8, 4] (the tile's), or of extent one instead, got [8]}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8xi32>
  return
}

// -----

func.func @scatter_c5_extent(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<4x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected indices of shape [8, 4] (the tile's), or of extent one instead, got [4, 1]}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<4x1xi32>
  return
}

// -----

func.func @scatter_c5_element(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xf32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected indices of element type i8, i16, i32, i64 or index, got 'f32'}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8x1xf32>
  return
}

// -----

func.func @scatter_c6_shape(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<8xi1>) {
  // expected-error @below {{'tile.scatter' op expected a mask of shape [8, 4] and element type i1, got '!tile.tile<8xi1>'}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 mask %m : !tile.tile<8xi1> : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c6_element(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<8x4xi8>) {
  // expected-error @below {{'tile.scatter' op expected a mask of shape [8, 4] and element type i1, got '!tile.tile<8x4xi8>'}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 mask %m : !tile.tile<8x4xi8> : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c7_compare(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected an atomic kind other than 'compare_exchange'}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 atomic compare_exchange : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c7_kind(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.scatter' op expected elements of i8, i16, i32, i64 or index for 'xor', got 'f32'}}
  tile.scatter %t, %a[%c, %c] at %i axis 0 atomic xor : !tile.tile<8x4xf32>, memref<?x?xf32>, !tile.tile<8x1xi32>
  return
}

// -----

func.func @scatter_c9_kind(%a: memref<?xi32>, %c: index, %t: !tile.tile<8xi32>) {
  // expected-error @below {{'tile.scatter' op expected no result without an atomic kind}}
  %0 = tile.scatter %t, %a[%c] at %t axis 0 : !tile.tile<8xi32>, memref<?xi32>, !tile.tile<8xi32> -> !tile.tile<8xi32>
  return
}

// -----

func.func @scatter_c9_type(%a: memref<?xi32>, %c: index, %t: !tile.tile<8xi32>) {
  // expected-error @below {{'tile.scatter' op expected a result of '!tile.tile<8xi32>' (the value's type), got '!tile.tile<8xi64>'}}
  %0 = tile.scatter %t, %a[%c] at %t axis 0 atomic add : !tile.tile<8xi32>, memref<?xi32>, !tile.tile<8xi32> -> !tile.tile<8xi64>
  return
}
