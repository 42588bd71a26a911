// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @gather_c1(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.gather' op expected 2 offsets (the array's rank), got 1}}
  %0 = tile.gather %a[%c] at %i axis 0 : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c2(%a: memref<?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.gather' op expected a tile of rank at most 1 (the array's), got rank 2}}
  %0 = tile.gather %a[%c] at %i axis 0 : memref<?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c3(%a: memref<?x?xf64>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.gather' op expected element type 'f64' (the array's), got 'f32'}}
  %0 = tile.gather %a[%c, %c] at %i axis 0 : memref<?x?xf64>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c4(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.gather' op expected an axis below the rank 2, got 2}}
  %0 = tile.gather %a[%c, %c] at %i axis 2 : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c5_rank(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.gather' op expected indices of shape [8, 4] (the tile's), or of extent one instead, got [8]}}
  %0 = tile.gather %a[%c, %c] at %i axis 0 : memref<?x?xf32>, !tile.tile<8xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c5_extent(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<4x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.gather' op expected indices of shape [8, 4] (the tile's), or of extent one instead, got [4, 1]}}
  %0 = tile.gather %a[%c, %c] at %i axis 0 : memref<?x?xf32>, !tile.tile<4x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c5_element(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xf32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<1xi1>) {
  // expected-error @below {{'tile.gather' op expected indices of element type i8, i16, i32, i64 or index, got 'f32'}}
  %0 = tile.gather %a[%c, %c] at %i axis 0 : memref<?x?xf32>, !tile.tile<8x1xf32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c6_shape(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<8xi1>) {
  // expected-error @below {{'tile.gather' op expected a mask of shape [8, 4] and element type i1, got '!tile.tile<8xi1>'}}
  %0 = tile.gather %a[%c, %c] at %i axis 0 mask %m : !tile.tile<8xi1> : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c6_element(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %t: !tile.tile<8x4xf32>, %m: !tile.tile<8x4xi8>) {
  // expected-error @below {{'tile.gather' op expected a mask of shape [8, 4] and element type i1, got '!tile.tile<8x4xi8>'}}
  %0 = tile.gather %a[%c, %c] at %i axis 0 mask %m : !tile.tile<8x4xi8> : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c4_several(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>) {
  // expected-error @below {{'tile.gather' op expected one tile of indices for 'axis', got 2 ('axes' has a dimension of the array for each)}}
  %0 = tile.gather %a[%c, %c] at %i, %i axis 0 : memref<?x?xf32>, !tile.tile<8x1xi32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c4_none(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>) {
  // expected-error @below {{'tile.gather' op expected 'axis' or 'axes', got none}}
  %0 = tile.gather %a[%c, %c] at %i : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c4_both(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>) {
  // expected-error @below {{'tile.gather' op expected 'axis' or 'axes', got both}}
  %0 = tile.gather %a[%c, %c] at %i axis 0 axes [0] : memref<?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c4_twice(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>) {
  // expected-error @below {{'tile.gather' op expected 'axes' of as many different dimensions of the array as there are tiles of indices, from 0 to 1, got [1, 1] for 2}}
  %0 = tile.gather %a[%c, %c] at %i, %i axes [1, 1] : memref<?x?xf32>, !tile.tile<8x1xi32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c5_second(%a: memref<?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>, %j: !tile.tile<8xi32>) {
  // expected-error @below {{'tile.gather' op expected indices of shape [8, 4] (the tile's), or of extent one instead, got [8]}}
  %0 = tile.gather %a[%c, %c] at %i, %j axes [0, 1] : memref<?x?xf32>, !tile.tile<8x1xi32>, !tile.tile<8xi32> -> !tile.tile<8x4xf32>
  return
}

// -----

func.func @gather_c7(%a: memref<?x?x?xf32>, %c: index, %i: !tile.tile<8x1xi32>) {
  // expected-error @below {{'tile.gather' op expected 'dims' of 2 (the tile's rank) different dimensions of the array, from 0 to 2, got [0, 0]}}
  %0 = tile.gather %a[%c, %c, %c] dims [0, 0] at %i axis 0 : memref<?x?x?xf32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
  return
}
