// RUN: tile-opt %s -split-input-file -verify-diagnostics

tile.kernel @wide(%x: memref<7x8xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<7x8xf32> -> !tile.tile<7x8xf32>
  // expected-error@+1 {{expected matrices of no more columns than rows in the last two dimensions, got '!tile.tile<7x8xf32>'}}
  %q, %r = tile.qr %x0 : !tile.tile<7x8xf32> to !tile.tile<7x8xf32>, !tile.tile<8x8xf32>
  tile.return
}

// -----

tile.kernel @q(%x: memref<8x7xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xf32> -> !tile.tile<8x7xf32>
  // expected-error@+1 {{expected a Q of type '!tile.tile<8x7xf32>' (the source's), got '!tile.tile<8x8xf32>'}}
  %q, %r = tile.qr %x0 : !tile.tile<8x7xf32> to !tile.tile<8x8xf32>, !tile.tile<7x7xf32>
  tile.return
}

// -----

tile.kernel @r(%x: memref<8x7xf32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xf32> -> !tile.tile<8x7xf32>
  // expected-error@+1 {{expected an R of type '!tile.tile<7x7xf32>', got '!tile.tile<8x7xf32>'}}
  %q, %r = tile.qr %x0 : !tile.tile<8x7xf32> to !tile.tile<8x7xf32>, !tile.tile<8x7xf32>
  tile.return
}

// -----

tile.kernel @integers(%x: memref<8x7xi32>) {
  %c0 = arith.constant 0 : index
  %x0 = tile.load %x[%c0, %c0] : memref<8x7xi32> -> !tile.tile<8x7xi32>
  // expected-error@+1 {{expected elements of f32 or f64, or complex ones of them, got 'i32'}}
  %q, %r = tile.qr %x0 : !tile.tile<8x7xi32> to !tile.tile<8x7xi32>, !tile.tile<7x7xi32>
  tile.return
}
