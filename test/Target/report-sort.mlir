// REQUIRES: nvptx, ptxas
// RUN: tile-compile %s --arch=sm_80 --emit=report -o - | FileCheck %s --implicit-check-not='({{[1-9][0-9]+}} by bank conflicts)'
// RUN: tile-compile %s --arch=sm_90a --emit=report -o - | FileCheck %s --implicit-check-not='({{[1-9][0-9]+}} by bank conflicts)'

// The steps of a network between warps exchange elements of adjacent lanes with
// those of distant lanes: gaps in the buffers avoid bank conflicts, and the
// conversions before and after the network have none.

// CHECK-LABEL: kernel row_over_warps
// CHECK-COUNT-8: (0 by bank conflicts) tile_gpu.store_shared
tile.kernel @row_over_warps(%a: memref<1x2048xi64>) attributes {block = 256 : i64} {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<1x2048xi64> -> !tile.tile<1x2048xi64>
  %y = tile.sort %x axis 1 : !tile.tile<1x2048xi64>
  tile.store %y, %a[%z, %z] : !tile.tile<1x2048xi64>, memref<1x2048xi64>
  tile.return
}

// A row of a vocabulary is padded to a power of two: 4 of 260 wavefronts are at
// the boundary between the row and its padding.
// CHECK-LABEL: kernel padded_rows
// CHECK: (0 by bank conflicts) tile_gpu.store_shared
tile.kernel @padded_rows(%a: memref<4x1000xi64>) attributes {block = 512 : i64} {
  %z = arith.constant 0 : index
  %x = tile.load %a[%z, %z] : memref<4x1000xi64> -> !tile.tile<4x1000xi64>
  %y = tile.sort %x axis 1 : !tile.tile<4x1000xi64>
  tile.store %y, %a[%z, %z] : !tile.tile<4x1000xi64>, memref<4x1000xi64>
  tile.return
}
