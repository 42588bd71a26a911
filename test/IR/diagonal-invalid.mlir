// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @rank(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  // expected-error@+1 {{expected matrices in the last two dimensions, got '!tile.tile<8xf32>'}}
  %d = tile.diagonal %a : !tile.tile<8xf32> to !tile.tile<8xf32>
  tile.return
}

// -----

tile.kernel @result(%x: memref<3x9x5xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<3x9x5xf32> -> !tile.tile<3x9x5xf32>
  // expected-error@+1 {{expected a diagonal of shape [3, 5] and elements of 'f32' (the matrices'), got '!tile.tile<3x9xf32>'}}
  %d = tile.diagonal %a : !tile.tile<3x9x5xf32> to !tile.tile<3x9xf32>
  tile.return
}

// -----

tile.kernel @element(%x: memref<9x5xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<9x5xf32> -> !tile.tile<9x5xf32>
  // expected-error@+1 {{got '!tile.tile<5xi32>'}}
  %d = tile.diagonal %a : !tile.tile<9x5xf32> to !tile.tile<5xi32>
  tile.return
}
