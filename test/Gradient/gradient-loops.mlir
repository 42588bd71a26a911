// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s

// The derivative of each iteration needs the value that the loop carries: the loop stores
// it to an array that the host allocates, with a row for each program and iteration. The
// transposed loop loads them in reverse order.
// CHECK-LABEL: tile.kernel @recurrence__adjoint__programs
// CHECK-SAME:    (%[[X:[^:]*]]: memref<?x16xf32>{{.*}}, %{{.*}}: memref<16xf32>{{.*}}, %[[D:.*]]: memref<?x16xf32>{{.*}}, %[[STATES:.*]]: memref<?x?x16xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK:         %[[PX:.*]] = tile.program_id x
// CHECK-NEXT:    %[[PROGRAM:.*]] = arith.addi %{{.*}}, %[[PX]] : index
// CHECK:         scf.for %[[I:.*]] = %[[C0]] to %[[N:.*]] step %[[C1]] iter_args(%[[S:.*]] =
// CHECK:           tile.store %[[S]], %[[STATES]][%[[PROGRAM]], %[[I]], %[[C0]]] in_bounds
// CHECK:         %[[TRIPS:.*]] = arith.maxsi %[[N]], %[[C0]]
// CHECK:         scf.for %[[J:.*]] = %[[C0]] to %[[TRIPS]] step %[[C1]] iter_args(%[[G:.*]] =
// CHECK:           %[[LAST:.*]] = arith.subi %[[TRIPS]], %[[C1]]
// CHECK:           %[[K:.*]] = arith.subi %[[LAST]], %[[J]]
// CHECK-DAG:       %[[STATE:.*]] = tile.load %[[STATES]][%[[PROGRAM]], %[[K]], %[[C0]]] in_bounds
// CHECK-DAG:       %[[V:.*]] = tile.load %[[X]][%[[K]], %[[C0]]]
// CHECK:           %[[A:.*]] = arith.mulf %[[G]], %[[STATE]]
// CHECK:           %[[B:.*]] = arith.mulf %[[G]], %[[V]]
// CHECK:           tile.store %[[A]], %[[D]][%[[K]], %[[C0]]]
// CHECK:           scf.yield %[[B]]

// CHECK-LABEL: func.func @recurrence__adjoint(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x16xf32>, %[[W:[^:]*]]: memref<16xf32> {tile.name = "1__cotangent"}, %[[D:[^:]*]]: memref<?x16xf32> {tile.name = "0__gradient"}, %[[GX:.*]]: index {tile.name = "grid_x"}, %[[GY:.*]]: index {tile.name = "grid_y"}, %[[GZ:.*]]: index {tile.name = "grid_z"})
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[N:.*]] = memref.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[TRIPS:.*]] = arith.maxsi %[[N]], %[[C0]]
// CHECK-DAG:     %[[XY:.*]] = arith.muli %[[GX]], %[[GY]]
// CHECK-DAG:     %[[PROGRAMS:.*]] = arith.muli %[[XY]], %[[GZ]]
// CHECK:         %[[STATES:.*]] = memref.alloc(%[[PROGRAMS]], %[[TRIPS]]) : memref<?x?x16xf32>
// CHECK:         tile.launch @recurrence__adjoint__programs grid(%[[GX]], %[[GY]], %[[GZ]])(%[[X]], %[[W]], %[[D]], %[[STATES]])
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

// The number of iterations depends on the program: the array has room for the largest. The
// kernel's grid stays.
// CHECK-LABEL: tile.kernel @triangle__adjoint__programs
// CHECK-SAME:    grid =
// CHECK-LABEL: func.func @triangle__adjoint(
// CHECK-SAME:    %[[X:.*]]: memref<?x?xf32>{{.*}}, %{{.*}}: memref<?xf32>{{.*}}, %{{.*}}: memref<?x?xf32> {tile.name = "0__gradient"})
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %[[X]], %{{.*}}
// CHECK-DAG:     %[[MOST:.*]] = arith.maxsi
// CHECK:         memref.alloc(%[[ROWS]], %[[MOST]]) : memref<?x?xf32>
// CHECK:         tile.launch @triangle__adjoint__programs(
tile.kernel @triangle(%x: memref<?x?xf32>, %y: memref<?xf32>)
    attributes {block = 32 : i64, grid = #tile.grid<affine_map<(n) -> (n)> of [[0, 0]]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.program_id x
  %one = arith.constant dense<1.0> : !tile.tile<f32>
  %r = scf.for %i = %c0 to %p step %c1 iter_args(%s = %one) -> !tile.tile<f32> {
    %v = tile.load %x[%p, %i] : memref<?x?xf32> -> !tile.tile<f32>
    %m = arith.mulf %s, %v : !tile.tile<f32>
    scf.yield %m : !tile.tile<f32>
  }
  tile.store %r, %y[%p] : !tile.tile<f32>, memref<?xf32>
  tile.return
}
