// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @wide(%x: memref<7x8xf32>, %y: memref<7x1xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<7x8xf32> -> !tile.tile<7x8xf32>
  %y0 = tile.load %y[%c0, %c0] : memref<7x1xf32> -> !tile.tile<7x1xf32>
  // expected-error@+1 {{expected matrices of no more columns than rows in the last two dimensions, got '!tile.tile<7x8xf32>'}}
  %r = tile.least_squares %x0, %y0 : !tile.tile<7x8xf32>, !tile.tile<7x1xf32> to !tile.tile<8x1xf32>
  tile.return
}

// -----

tile.kernel @rows(%x: memref<9x8xf32>, %y: memref<8x1xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<9x8xf32> -> !tile.tile<9x8xf32>
  %y0 = tile.load %y[%c0, %c0] : memref<8x1xf32> -> !tile.tile<8x1xf32>
  // expected-error@+1 {{expected matrices of 9 rows (the matrix's), got '!tile.tile<8x1xf32>'}}
  %r = tile.least_squares %x0, %y0 : !tile.tile<9x8xf32>, !tile.tile<8x1xf32> to !tile.tile<8x1xf32>
  tile.return
}

// -----

tile.kernel @result(%x: memref<9x8xf32>, %y: memref<9x1xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<9x8xf32> -> !tile.tile<9x8xf32>
  %y0 = tile.load %y[%c0, %c0] : memref<9x1xf32> -> !tile.tile<9x1xf32>
  // expected-error@+1 {{expected a result of type '!tile.tile<8x1xf32>', got '!tile.tile<9x1xf32>'}}
  %r = tile.least_squares %x0, %y0 : !tile.tile<9x8xf32>, !tile.tile<9x1xf32> to !tile.tile<9x1xf32>
  tile.return
}
