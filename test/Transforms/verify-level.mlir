// RUN: tile-opt %s -tile-verify-level=level=decomposed | FileCheck %s --check-prefix=DECOMPOSED
// RUN: tile-opt %s -tile-verify-level=level=decomposed -tile-verify-level=level=source | FileCheck %s --check-prefix=SOURCE
// RUN: tile-opt %s -tile-warp-tiling -tile-assign-storage -tile-assign-layouts -tile-verify-level=level=distributed | FileCheck %s --check-prefix=DISTRIBUTED
// RUN: tile-opt %s -tile-phases -tile-verify-level=level=buffered | FileCheck %s --check-prefix=BUFFERED

// A kernel declares its level; without a declaration it is source.
// DECOMPOSED: tile.level = #tile<level decomposed>
// SOURCE-NOT: tile.level
// DISTRIBUTED: tile.level = #tile<level distributed>
// BUFFERED: tile.level = #tile<level buffered>
tile.kernel @transpose(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %u = tile.transpose %t [1, 0] : !tile.tile<64x64xf32> to !tile.tile<64x64xf32>
  tile.store %u, %y[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}
