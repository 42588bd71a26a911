// RUN: tile-opt %s -tile-gradient=kernel=products -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=kernel=difference -canonicalize -cse | FileCheck %s --check-prefix=DIFFERENCE

// The terms of the second sum are multiples of the first sum, which is the same in a row:
// without it the sums of x and of t do not depend on each other.
// CHECK-LABEL: tile.kernel @products__adjoint(
// CHECK-DAG:   %[[X:.*]] = tile.load %arg0[
// CHECK-DAG:   %[[T:.*]] = tile.load %arg1[
// CHECK-DAG:   %[[SX:.*]] = tile.reduce add %[[X]] axis 1 keep
// CHECK-DAG:   %[[ST:.*]] = tile.reduce add %[[T]] axis 1 keep
// CHECK-DAG:   %[[PX:.*]] = arith.mulf %[[SX]], %[[SX]]{{.*}} : !tile.tile<8x1xf32>
// CHECK-DAG:   %[[PT:.*]] = arith.mulf %[[ST]], %[[SX]]{{.*}} : !tile.tile<8x1xf32>
// CHECK:       arith.subf %[[PX]], %[[PT]]{{.*}} : !tile.tile<8x1xf32>
// CHECK-LABEL: tile.kernel @difference(
tile.kernel @products(%x: memref<8x64xf32> {tile.name = "x"}, %t: memref<8x64xf32> {tile.name = "t"}, %y: memref<8x1xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %u = tile.load %t[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %s = tile.reduce add %v axis 1 keep : !tile.tile<8x64xf32> to !tile.tile<8x1xf32>
  %b = tile.broadcast %s : !tile.tile<8x1xf32> to !tile.tile<8x64xf32>
  %p = arith.mulf %v, %b : !tile.tile<8x64xf32>
  %q = arith.mulf %b, %u : !tile.tile<8x64xf32>
  %d = arith.subf %p, %q : !tile.tile<8x64xf32>
  %r = tile.reduce add %d axis 1 keep : !tile.tile<8x64xf32> to !tile.tile<8x1xf32>
  %z = arith.mulf %r, %r : !tile.tile<8x1xf32>
  tile.store %z, %y[%c0, %c0] : !tile.tile<8x1xf32>, memref<8x1xf32>
  tile.return
}

// A term that is no multiple stays in its sum, where another term may nearly cancel it.
// DIFFERENCE-LABEL: tile.kernel @difference__adjoint(
// DIFFERENCE:       %[[D:.*]] = arith.subf %{{.*}} : !tile.tile<8x64xf32>
// DIFFERENCE:       tile.reduce add %[[D]] axis 1 keep
tile.kernel @difference(%x: memref<8x64xf32> {tile.name = "x"}, %t: memref<8x64xf32> {tile.name = "t"}, %y: memref<8x1xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %u = tile.load %t[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %s = tile.reduce add %v axis 1 keep : !tile.tile<8x64xf32> to !tile.tile<8x1xf32>
  %b = tile.broadcast %s : !tile.tile<8x1xf32> to !tile.tile<8x64xf32>
  %p = arith.mulf %v, %b : !tile.tile<8x64xf32>
  %d = arith.subf %p, %u : !tile.tile<8x64xf32>
  %r = tile.reduce add %d axis 1 keep : !tile.tile<8x64xf32> to !tile.tile<8x1xf32>
  %z = arith.mulf %r, %r : !tile.tile<8x1xf32>
  tile.store %z, %y[%c0, %c0] : !tile.tile<8x1xf32>, memref<8x1xf32>
  tile.return
}
