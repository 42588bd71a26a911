// RUN: tile-opt %s -tile-to-nvvm -split-input-file -verify-diagnostics

// Tiles of almost 2^31 elements, which layouts round up to more, are refused like all
// tiles that are too large for a block.

tile.kernel @factor(%a: memref<?x1x1xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0, %c0] : memref<?x1x1xf32> -> !tile.tile<2147483647x1x1xf32>
  // expected-error @below {{expected a tile of at most 262144 bytes (a block's registers), got 8589934588 of '!tile.tile<2147483647x1x1xf32>'}}
  %l = tile.cholesky %t : !tile.tile<2147483647x1x1xf32>
  tile.store %l, %a[%c0, %c0, %c0] : !tile.tile<2147483647x1x1xf32>, memref<?x1x1xf32>
  tile.return
}

// -----

tile.kernel @invert(%a: memref<?x1x1xf64>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0, %c0] : memref<?x1x1xf64> -> !tile.tile<2147483647x1x1xf64>
  // expected-error @below {{expected a tile of at most 262144 bytes (a block's registers), got 17179869176 of '!tile.tile<2147483647x1x1xf64>'}}
  %l = tile.inverse %t : !tile.tile<2147483647x1x1xf64>
  tile.store %l, %a[%c0, %c0, %c0] : !tile.tile<2147483647x1x1xf64>, memref<?x1x1xf64>
  tile.return
}

// -----

tile.kernel @scan(%a: memref<?x1xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<?x1xf32> -> !tile.tile<2147483647x1xf32>
  // expected-error @below {{expected a tile of at most 262144 bytes (a block's registers), got 8589934588 of '!tile.tile<2147483647x1xf32>'}}
  %l = tile.scan add %t axis 1 : !tile.tile<2147483647x1xf32>
  tile.store %l, %a[%c0, %c0] : !tile.tile<2147483647x1xf32>, memref<?x1xf32>
  tile.return
}

// -----

tile.kernel @multiply(%a: memref<?x1xf16>, %b: memref<1x1xf16>, %c: memref<?x1xf32>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<?x1xf16> -> !tile.tile<2147483647x1xf16>
  %y = tile.load %b[%c0, %c0] : memref<1x1xf16> -> !tile.tile<1x1xf16>
  %z = tile.load %c[%c0, %c0] : memref<?x1xf32> -> !tile.tile<2147483647x1xf32>
  // expected-error @below {{expected a tile of at most 262144 bytes (a block's registers), got 4294967294 of '!tile.tile<2147483647x1xf16>'}}
  %r = tile.matmul %x, %y, %z : !tile.tile<2147483647x1xf16>, !tile.tile<1x1xf16> -> !tile.tile<2147483647x1xf32>
  tile.store %r, %c[%c0, %c0] : !tile.tile<2147483647x1xf32>, memref<?x1xf32>
  tile.return
}

// -----

tile.kernel @copy_half(%a: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a tile of at most 262144 bytes (a block's registers), got 8589934588 of '!tile.tile<2147483647xf32, #tile.register>'}}
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<2147483647xf32>
  %u = arith.addf %t, %t : !tile.tile<2147483647xf32>
  %v = tile.view %u[%c0] : !tile.tile<2147483647xf32> to !tile.tile<1073741823xf32>
  tile.store %v, %a[%c0] : !tile.tile<1073741823xf32>, memref<?xf32>
  tile.return
}
