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
