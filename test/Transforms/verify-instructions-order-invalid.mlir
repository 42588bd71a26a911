// RUN: tile-opt %s -verify-diagnostics -tile-verify-instructions

// What is counted of a product is its tiling.
tile.kernel @needs_tilings(%a: memref<16x16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  // expected-error @below {{expected a complete tiling (run -tile-warp-tiling before)}}
  %u = tile.matmul %t, %t, %zero : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
  tile.store %u, %a[%c0, %c0] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}
