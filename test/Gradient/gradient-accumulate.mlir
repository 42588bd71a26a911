// RUN: tile-opt %s -split-input-file -tile-gradient=accumulate -canonicalize -cse | FileCheck %s
// RUN: not tile-opt %s -split-input-file -tile-gradient="accumulate mode=forward" 2>&1 | FileCheck %s --check-prefix=FORWARD

// FORWARD-COUNT-2: error: expected mode=reverse with 'accumulate', which is for gradients, got mode=forward

// A gradient that would be stored is added to that of the array: nothing is filled with
// zeros, so that one kernel is the derivative. The sum is rounded once.
// CHECK-LABEL: tile.kernel @halves__adjoint(
// CHECK-SAME:    %[[G:[^:]*]]: memref<?xf16> {tile.name = "y__cotangent"}, %[[D:[^:]*]]: memref<?xf16> {tile.name = "x__gradient"})
// CHECK-DAG:     %[[C:.*]] = tile.load %[[G]][%[[I:.*]]] :
// CHECK-DAG:     %[[B:.*]] = tile.load %[[D]][%[[I]]] :
// CHECK-DAG:     %[[WIDE:.*]] = tile.cast %[[C]]
// CHECK-DAG:     %[[HALF:.*]] = arith.mulf %[[WIDE]], %{{.*}} : !tile.tile<64xf32>
// CHECK-DAG:     %[[BEFORE:.*]] = tile.cast %[[B]]
// CHECK:         %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[HALF]] fastmath<contract> : !tile.tile<64xf32>
// CHECK:         %[[ROUNDED:.*]] = tile.cast %[[SUM]]
// CHECK:         tile.store %[[ROUNDED]], %[[D]][%[[I]]] :
tile.kernel @halves(%x: memref<?xf16> {tile.name = "x"}, %y: memref<?xf16> {tile.name = "y"}) attributes {block = 64 : i64} {
  %c64 = arith.constant 64 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c64 : index
  %half = arith.constant dense<0.5> : !tile.tile<64xf32>
  %v = tile.load %x[%i] : memref<?xf16> -> !tile.tile<64xf16>
  %w = tile.cast %v : !tile.tile<64xf16> to !tile.tile<64xf32>
  %h = arith.mulf %w, %half : !tile.tile<64xf32>
  %r = tile.cast %h : !tile.tile<64xf32> to !tile.tile<64xf16>
  tile.store %r, %y[%i] : !tile.tile<64xf16>, memref<?xf16>
  tile.return
}

// -----

// Parts of a sum are stored, and added up to the gradient of the array.
// CHECK-LABEL: tile.kernel @scale__adjoint__w(
// CHECK:         tile.store %{{.*}} in_bounds : !tile.tile<96xf32>, memref<?x?x96xf32>
// CHECK-LABEL: tile.kernel @scale__adjoint__w__sum(
// CHECK-SAME:    %[[D:[^:]*]]: memref<96xf32> {tile.name = "w__gradient"}
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:         %[[B:.*]] = tile.load %[[D]][%[[COLUMN:.*]]] :
// CHECK:         %[[S:.*]] = arith.addf %[[B]], %[[SUM]]
// CHECK:         tile.store %[[S]], %[[D]][%[[COLUMN]]]
tile.kernel @scale(%x: memref<?x96xf32> {tile.name = "x"}, %w: memref<96xf32> {tile.name = "w"}, %y: memref<?x96xf32> {tile.name = "y"})
    attributes {block = 96 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %v = tile.load %x[%i, %c0] : memref<?x96xf32> -> !tile.tile<96xf32>
  %u = tile.load %w[%c0] : memref<96xf32> -> !tile.tile<96xf32>
  %s = arith.mulf %v, %u : !tile.tile<96xf32>
  tile.store %s, %y[%i, %c0] : !tile.tile<96xf32>, memref<?x96xf32>
  tile.return
}
