// RUN: tile-opt %s -tile-gradient | FileCheck %s
// RUN: tile-opt %s -tile-gradient -tile-phases=arch=sm_90a -o /dev/null

// A mask keeps the box of the sum whole: so many parts are loaded at a time as fit.
// CHECK-LABEL: tile.kernel @weighted__adjoint__w__sum(
// CHECK: tile.load %{{.*}} : memref<?x?x8x64x8xf32> -> !tile.tile<4x8x64x8xf32>
tile.kernel @weighted(%w: memref<8x64x8xf32> {tile.name = "w"}, %s: memref<?x1x1x1xf32> {tile.name = "s"}, %y: memref<?x8x64x8xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %three = arith.constant dense<3> : !tile.tile<8x64x8xi32>
  %i = tile.iota axis 2 : !tile.tile<8x64x8xi32>
  %m = arith.cmpi ne, %i, %three : !tile.tile<8x64x8xi32>
  %v = tile.load %w[%c0, %c0, %c0] mask %m : !tile.tile<8x64x8xi1> : memref<8x64x8xf32> -> !tile.tile<8x64x8xf32>
  %t = tile.load %s[%p, %c0, %c0, %c0] : memref<?x1x1x1xf32> -> !tile.tile<1x1x1xf32>
  %b = tile.broadcast %t : !tile.tile<1x1x1xf32> to !tile.tile<8x64x8xf32>
  %r = arith.mulf %v, %b : !tile.tile<8x64x8xf32>
  tile.store %r, %y[%p, %c0, %c0, %c0] : !tile.tile<8x64x8xf32>, memref<?x8x64x8xf32>
  tile.return
}
