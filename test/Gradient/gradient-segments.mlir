// RUN: tile-opt %s -tile-gradient=segments -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient="kernel=long" -canonicalize -cse | FileCheck %s --check-prefix=LONG
// RUN: tile-opt %s -tile-gradient="kernel=recurrence" -canonicalize -cse | FileCheck %s --check-prefix=ALL

// The length of a segment is an argument, which the function computes from the number of
// iterations. Each segment runs again and keeps its values in one array.
// CHECK-LABEL: tile.kernel @recurrence__adjoint__programs
// CHECK-SAME:    %[[L:[^:]*]]: index, %[[INNER:[^:]*]]: memref<?x?x16xf32>, %[[OUTER:[^:]*]]: memref<?x?x16xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK:         scf.for %[[BASE:.*]] = %[[C0]] to %[[N:.*]] step %[[L]] iter_args(%[[S:.*]] =
// CHECK:           %[[SEGMENT:.*]] = arith.divui %[[BASE]], %[[L]]
// CHECK:           tile.store %[[S]], %[[OUTER]][%{{.*}}, %[[SEGMENT]], %[[C0]]] in_bounds
// CHECK-NOT:       tile.store
// CHECK:         scf.for
// CHECK:           %[[FIRST:.*]] = tile.load %[[OUTER]]
// CHECK:           %[[COUNT:.*]] = arith.minsi
// CHECK:           scf.for %[[I:.*]] = %[[C0]] to %[[COUNT]] step %[[C1]] iter_args(%[[T:.*]] = %[[FIRST]])
// CHECK:             tile.store %[[T]], %[[INNER]][%{{.*}}, %[[I]], %[[C0]]] in_bounds
// CHECK:           scf.for
// CHECK:             tile.load %[[INNER]]

// CHECK-LABEL: func.func @recurrence__adjoint(
// CHECK-DAG:     %[[N:.*]] = memref.dim
// CHECK-DAG:     arith.ceildivsi %{{.*}}, %[[C64:.*]] : index
// CHECK-DAG:     %[[L:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
// CHECK:         memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?x16xf32>
// CHECK:         memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?x16xf32>
// CHECK:         tile.launch @recurrence__adjoint__programs

// ALL-LABEL: func.func @recurrence__adjoint(
// ALL-COUNT-1: memref.alloc
// ALL-NOT:     memref.alloc
tile.kernel @recurrence(%x: memref<?x16xf32>, %y: memref<16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %one = arith.constant dense<1.0> : !tile.tile<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one) -> !tile.tile<16xf32> {
    %v = tile.load %x[%i, %c0] : memref<?x16xf32> -> !tile.tile<16xf32>
    %m = arith.mulf %s, %v : !tile.tile<16xf32>
    scf.yield %m : !tile.tile<16xf32>
  }
  tile.store %r, %y[%c0] : !tile.tile<16xf32>, memref<16xf32>
  tile.return
}

// 2000 states of 1024 elements take 8 MB: segments have 64 iterations. The sum keeps
// nothing, and stays one loop.
// LONG-LABEL: func.func @long__adjoint(
// LONG-DAG:     memref.alloc({{.*}}) : memref<?x64x1024xf32>
// LONG-DAG:     memref.alloc({{.*}}) : memref<?x32x1024xf32>
// LONG:         tile.launch @long__adjoint__programs
tile.kernel @long(%x: memref<2000x1024xf32>, %y: memref<1024xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 2000 : index
  %one = arith.constant dense<1.0> : !tile.tile<1024xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one) -> !tile.tile<1024xf32> {
    %v = tile.load %x[%i, %c0] : memref<2000x1024xf32> -> !tile.tile<1024xf32>
    %m = arith.mulf %s, %v : !tile.tile<1024xf32>
    scf.yield %m : !tile.tile<1024xf32>
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%s = %r) -> !tile.tile<1024xf32> {
    %v = tile.load %x[%i, %c0] : memref<2000x1024xf32> -> !tile.tile<1024xf32>
    %m = arith.addf %s, %v : !tile.tile<1024xf32>
    scf.yield %m : !tile.tile<1024xf32>
  }
  tile.store %t, %y[%c0] : !tile.tile<1024xf32>, memref<1024xf32>
  tile.return
}
