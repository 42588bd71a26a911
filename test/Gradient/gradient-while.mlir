// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=mode=forward | FileCheck %s --check-prefix=FORWARD

// A copy of the loop counts its iterations up to the bound, and does not add to the output.
// Then the loop is one of so many iterations.
// CHECK-LABEL: tile.kernel @halve__adjoint__programs
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK:         %[[W:.*]]:3 = scf.while (%[[V:.*]] = %{{.*}}, %[[K:.*]] = %[[C0]])
// CHECK:           %[[C:.*]] = arith.cmpf ogt
// CHECK:           %[[FITS:.*]] = arith.cmpi ult, %[[K]], %[[C8]]
// CHECK:           %[[GO:.*]] = arith.andi %[[C]], %[[FITS]]
// CHECK:           scf.condition(%[[GO]]) %[[V]], %[[K]], %[[C]]
// CHECK-NOT:       tile.atomic_rmw
// CHECK:         %[[ENDED:.*]] = arith.xori %[[W]]#2
// CHECK:         tile.assert %[[ENDED]], "expected a loop of at most 8 iterations, the bound of tile.max_trips, got one that goes on"
// CHECK:         %[[N:.*]] = arith.minui %[[W]]#1, %[[C8]]
// CHECK:         scf.for %[[I:.*]] = %[[C0]] to %[[N]] step %[[C1]] iter_args(%[[S:.*]] =
// CHECK:           tile.store %[[S]], %[[STATES:.*]][%{{.*}}, %[[I]], %[[C0]]] in_bounds
// CHECK:         %[[TRIPS:.*]] = arith.maxsi %[[N]], %[[C0]]
// CHECK:         scf.for %{{.*}} = %[[C0]] to %[[TRIPS]] step %[[C1]]
// CHECK:           tile.load %[[STATES]]

// The array has room for as many iterations as the bound.
// CHECK-LABEL: func.func @halve__adjoint(
// CHECK:         memref.alloc(%{{.*}}) : memref<?x8x5xf64>

// The tangents need no bound, and keep it.
// FORWARD-LABEL: tile.kernel @halve__tangent
// FORWARD:         scf.while (%[[V:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}}) : (!tile.tile<5xf64>, !tile.tile<5xf64>)
// FORWARD:           scf.condition(%{{.*}}) %[[V]], %[[D]]
// FORWARD:         } do {
// FORWARD:           scf.yield
// FORWARD:         } attributes {tile.max_trips = 8 : i64}
tile.kernel @halve(%x: memref<5xf64>, %y: memref<5xf64>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %a = tile.load %x[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %r = scf.while (%v = %a) : (!tile.tile<5xf64>) -> !tile.tile<5xf64> {
    %m = tile.reduce max %v : !tile.tile<5xf64> to !tile.tile<f64>
    %most = tile.extract %m[] : !tile.tile<f64>
    %go = arith.cmpf ogt, %most, %one : f64
    scf.condition(%go) %v : !tile.tile<5xf64>
  } do {
  ^bb0(%v: !tile.tile<5xf64>):
    %old = tile.atomic_rmw add %v, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
    %w = math.sqrt %v : !tile.tile<5xf64>
    scf.yield %w : !tile.tile<5xf64>
  } attributes {tile.max_trips = 8 : i64}
  tile.return
}

// A loop on which no gradient depends needs no bound, and is not counted.
// CHECK-LABEL: tile.kernel @integers__adjoint
// CHECK-COUNT-1: scf.while
// CHECK-NOT:     tile.assert
// FORWARD-LABEL: tile.kernel @integers__tangent
tile.kernel @integers(%x: memref<?xf64>, %y: memref<5xf64>, %n: index) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %i = scf.while (%k = %n) : (index) -> index {
    %v = tile.load %x[%k] : memref<?xf64> -> !tile.tile<f64>
    %e = tile.extract %v[] : !tile.tile<f64>
    %go = arith.cmpf ogt, %e, %one : f64
    scf.condition(%go) %k : index
  } do {
  ^bb0(%k: index):
    %h = arith.addi %k, %n : index
    scf.yield %h : index
  }
  %a = tile.load %x[%c0] : memref<?xf64> -> !tile.tile<5xf64>
  %count = arith.index_cast %i : index to i64
  %f = arith.sitofp %count : i64 to f64
  %fs = tile.fill %f : !tile.tile<5xf64>
  %s = arith.mulf %a, %fs : !tile.tile<5xf64>
  tile.store %s, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
  tile.return
}
