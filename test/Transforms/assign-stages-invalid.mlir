// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-assign-stages -verify-diagnostics -split-input-file

// The stages need 64 KiB each, and the block has 163 KiB.
tile.kernel @refuses_stages_that_do_not_fit(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %r = scf.for %k = %c0 to %n step %c128 iter_args(%acc = %z) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<128x128xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
    // expected-error @below {{'tile.matmul' op expected 'stages' of at most 2 (65536 bytes each of 166912 on sm_80), got 3}}
    %s = tile.matmul %x, %y, %acc tiling <stages = 3> : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}

// -----

// The stages have to fit for each of two blocks.
tile.kernel @refuses_stages_that_two_blocks_have_not(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index) attributes {tile.blocks_per_processor = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %z = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %r = scf.for %k = %c0 to %n step %c128 iter_args(%acc = %z) -> !tile.tile<128x128xf32> {
    %x = tile.load %a[%c0, %k] : memref<?x?xf16> -> !tile.tile<128x128xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<128x128xf16>
    // expected-error @below {{'tile.matmul' op expected 'stages' of at most 1 (65536 bytes each of 82944 on sm_80), got 2}}
    %s = tile.matmul %x, %y, %acc tiling <stages = 2> : !tile.tile<128x128xf16>, !tile.tile<128x128xf16> -> !tile.tile<128x128xf32>
    scf.yield %s : !tile.tile<128x128xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}
