// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @extract_c1(%t: !tile.tile<8x4xf32>, %i: index) {
  // expected-error @below {{'tile.extract' op expected 2 indices (the source's rank), got 1}}
  %0 = tile.extract %t[%i] : !tile.tile<8x4xf32>
  return
}

// -----

func.func @extract_c2(%t: !tile.tile<8x4xf32>, %i: index) {
  %c4 = arith.constant 4 : index
  // expected-error @below {{'tile.extract' op expected an index below the source's extent 4 of dimension 1, got 4}}
  %0 = tile.extract %t[%i, %c4] : !tile.tile<8x4xf32>
  return
}
