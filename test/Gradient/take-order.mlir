// RUN: tile-opt %s -tile-gradient=kernel=rows -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=kernel=every_other -canonicalize -cse | FileCheck %s --check-prefix=DISTINCT

// Rows that are taken several times get the sum of the cotangents, in the order of the
// indices: a tile.put that adds would have another order from run to run.
// CHECK-LABEL: tile.kernel @rows__adjoint(
// CHECK-NOT:   tile.put
// CHECK:       %[[OWN:.*]] = tile.iota axis 0 : !tile.tile<4x64xi32>
// CHECK:       scf.for %[[I:.*]] = %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (!tile.tile<4x64xf32>)
// CHECK:         %[[INDEX:.*]] = tile.view %{{.*}}[%[[I]], %{{.*}}] : !tile.tile<9x1xi32> to !tile.tile<1x1xi32>
// CHECK:         tile.view %{{.*}}[%[[I]], %{{.*}}] : !tile.tile<9x64xf16> to !tile.tile<1x64xf16>
// CHECK:         arith.addf %[[SUM]]
// CHECK-NOT:   tile.put
tile.kernel @rows(%x: memref<4x64xf16> {tile.name = "x"}, %i: memref<9x1xi32> {tile.name = "i"}, %y: memref<9x64xf16> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<4x64xf16> -> !tile.tile<4x64xf16>
  %k = tile.load %i[%c0, %c0] : memref<9x1xi32> -> !tile.tile<9x1xi32>
  %t = tile.take %v at %k axis 0 : !tile.tile<4x64xf16>, !tile.tile<9x1xi32> to !tile.tile<9x64xf16>
  tile.store %t, %y[%c0, %c0] : !tile.tile<9x64xf16>, memref<9x64xf16>
  tile.return
}

// Indices that differ need no sum.
// DISTINCT-LABEL: tile.kernel @every_other__adjoint(
// DISTINCT-NOT:   scf.for
// DISTINCT:       tile.put %{{.*}} into
tile.kernel @every_other(%x: memref<8x64xf32> {tile.name = "x"}, %y: memref<4x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %k = tile.iota axis 0 from %one step %two : !tile.tile<4x1xi32>
  %t = tile.take %v at %k axis 0 : !tile.tile<8x64xf32>, !tile.tile<4x1xi32> to !tile.tile<4x64xf32>
  tile.store %t, %y[%c0, %c0] : !tile.tile<4x64xf32>, memref<4x64xf32>
  tile.return
}
