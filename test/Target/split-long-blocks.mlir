// ptxas takes time that is quadratic in the length of a basic block. Straight code of
// hundreds of instructions is therefore split by barriers of the warp, before shuffles
// of all lanes.

// REQUIRES: nvptx
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_89 | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_90 | FileCheck %s --check-prefixes=CHECK,NEW

// CHECK-LABEL: .visible .entry factor(
// NEW-NOT:     bar.warp.sync
// OLD-COUNT-4: bar.warp.sync -1;
// OLD-NEXT:    shfl.sync
tile.kernel @factor(%x: memref<48x48xf32>, %y: memref<48x48xf32>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<48x48xf32> -> !tile.tile<48x48xf32>
  %l = tile.cholesky %a : !tile.tile<48x48xf32>
  tile.store %l, %y[%c0, %c0] : !tile.tile<48x48xf32>, memref<48x48xf32>
  tile.return
}

// Short code has none.
// CHECK-LABEL: .visible .entry short(
// CHECK-NOT:   bar.warp.sync
// CHECK:       shfl.sync
// CHECK-NOT:   bar.warp.sync
tile.kernel @short(%x: memref<8x32xf32>, %y: memref<8xf32>)
    attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x32xf32> -> !tile.tile<8x32xf32>
  %s = tile.reduce add %a axis 1 : !tile.tile<8x32xf32> to !tile.tile<8xf32>
  tile.store %s, %y[%c0] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}
