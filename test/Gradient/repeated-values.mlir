// RUN: tile-opt %s -tile-gradient=kernel=variance -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=kernel=quotient -canonicalize -cse | FileCheck %s --check-prefix=QUOTIENT

// The factor 2 of the derivative of a square multiplies the cotangent of a row's sum, and not
// each element of the row.
// CHECK-LABEL: tile.kernel @variance__adjoint(
// CHECK-DAG:     %[[X:.*]] = tile.load %arg0[
// CHECK-DAG:     %[[C:.*]] = tile.load %arg1[
// CHECK:         %[[TWICE:.*]] = arith.addf %[[C]], %[[C]]{{.*}} : !tile.tile<8x1xf32>
// CHECK:         %[[B:.*]] = tile.broadcast %[[TWICE]]
// CHECK:         %[[D:.*]] = arith.mulf %[[B]], %[[X]]{{.*}} : !tile.tile<8x64xf32>
// CHECK:         tile.store %[[D]],
tile.kernel @variance(%x: memref<8x64xf32> {tile.name = "x"}, %y: memref<8x1xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %s = arith.mulf %v, %v : !tile.tile<8x64xf32>
  %r = tile.reduce add %s axis 1 keep : !tile.tile<8x64xf32> to !tile.tile<8x1xf32>
  tile.store %r, %y[%c0, %c0] : !tile.tile<8x1xf32>, memref<8x1xf32>
  tile.return
}

// The reciprocal of the divisor is computed before it is repeated.
// QUOTIENT-LABEL: tile.kernel @quotient__adjoint(
// QUOTIENT:         %[[R:.*]] = arith.divf %{{.*}}, %{{.*}} : f32
// QUOTIENT:         %[[F:.*]] = tile.fill %[[R]]
// QUOTIENT-NOT:     arith.divf
// QUOTIENT:         arith.mulf %{{.*}}, %[[F]]{{.*}} : !tile.tile<8x64xf32>
tile.kernel @quotient(%x: memref<8x64xf32> {tile.name = "x"}, %d: f32, %y: memref<8x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %f = tile.fill %d : !tile.tile<8x64xf32>
  %q = arith.divf %v, %f : !tile.tile<8x64xf32>
  tile.store %q, %y[%c0, %c0] : !tile.tile<8x64xf32>, memref<8x64xf32>
  tile.return
}
