// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @insert_c1(%p: !tile.tile<4x1xf32>, %t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.insert' op expected 2 offsets (the tile's rank), got 1}}
  %0 = tile.insert %p into %t[%i] : !tile.tile<4x1xf32> into !tile.tile<8x8xf32>
  return
}

// -----

func.func @insert_c2_rank(%p: !tile.tile<4xf32>, %t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.insert' op expected a part of rank 2 (the tile's), got rank 1}}
  %0 = tile.insert %p into %t[%i, %i] : !tile.tile<4xf32> into !tile.tile<8x8xf32>
  return
}

// -----

func.func @insert_c2_element(%p: !tile.tile<4x1xf16>, %t: !tile.tile<8x8xf32>, %i: index) {
  // expected-error @below {{'tile.insert' op expected element type 'f32' (the tile's), got 'f16'}}
  %0 = tile.insert %p into %t[%i, %i] : !tile.tile<4x1xf16> into !tile.tile<8x8xf32>
  return
}

// -----

func.func @insert_c3(%p: !tile.tile<4x1xf32>, %t: !tile.tile<8x8xf32>, %i: index) {
  %c5 = arith.constant 5 : index
  // expected-error @below {{'tile.insert' op expected the box to lie inside the tile's extent 8 of dimension 0, got offset 5 and extent 4}}
  %0 = tile.insert %p into %t[%c5, %i] : !tile.tile<4x1xf32> into !tile.tile<8x8xf32>
  return
}

// -----

func.func @insert_c2_scalar(%x: f64, %t: !tile.tile<8xf32>, %i: index) {
  // expected-error @below {{'tile.insert' op expected element type 'f32' (the tile's), got 'f64'}}
  %0 = tile.insert %x into %t[%i] : f64 into !tile.tile<8xf32>
  return
}

// -----

func.func @insert_c3_scalar(%x: f32, %t: !tile.tile<8xf32>) {
  %c8 = arith.constant 8 : index
  // expected-error @below {{'tile.insert' op expected}}
  %0 = tile.insert %x into %t[%c8] : f32 into !tile.tile<8xf32>
  return
}
