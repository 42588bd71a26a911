// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s

// The extent of the grid may not cover the array: then it is filled with zeros first. If
// the programs load each element, the launch has no programs. The input is not needed: its
// sizes are those of the gradient.
// CHECK-LABEL: tile.kernel @unknown__adjoint__zero(
// CHECK-SAME:    %[[X:.*]]: memref<?x48xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C170:.*]] = arith.constant 170 : index
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : !tile.tile<170x48xf32>
// CHECK-DAG:     %[[P:.*]] = tile.program_id x
// CHECK-DAG:     %[[N:.*]] = memref.dim %[[X]], %[[C0]]
// CHECK:         %[[BOXES:.*]] = arith.ceildivsi %[[N]], %[[C170]]
// CHECK:         %[[BOX:.*]] = arith.remui %[[P]], %[[BOXES]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[BOX]], %[[C170]]
// CHECK:         tile.store %[[ZERO]], %[[X]][%[[ROW]], %[[C0]]]
// CHECK-LABEL: tile.kernel @unknown__adjoint__programs(
// CHECK-LABEL: func.func @unknown__adjoint(
// CHECK-SAME:    %{{[^:]*}}: memref<?x48xf32> {tile.name = "1__cotangent"}, %[[D:[^:]*]]: memref<?x48xf32> {tile.name = "0__gradient"}, %[[GX:[^:]*]]: index
// CHECK:         %[[SIZE:.*]] = memref.dim %[[D]], %{{.*}}
// CHECK:         %[[COVERED:.*]] = arith.cmpi sle, %[[SIZE]], %{{.*}}
// CHECK:         %[[BOXES:.*]] = arith.ceildivsi %[[SIZE]], %{{.*}}
// CHECK:         %[[FLAG:.*]] = arith.index_castui %[[COVERED]] : i1 to index
// CHECK:         %[[NEEDED:.*]] = arith.subi %{{.*}}, %[[FLAG]]
// CHECK:         %[[PROGRAMS:.*]] = arith.muli %[[BOXES]], %[[NEEDED]]
// CHECK:         tile.launch @unknown__adjoint__zero grid(%[[PROGRAMS]], %{{.*}}, %{{.*}})(%[[D]])
// CHECK-NEXT:    tile.launch @unknown__adjoint__programs
tile.kernel @unknown(%x: memref<?x48xf32>, %y: memref<?x48xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c4 : index
  %v = tile.load %x[%i, %c0] : memref<?x48xf32> -> !tile.tile<4x48xf32>
  tile.store %v, %y[%i, %c0] : !tile.tile<4x48xf32>, memref<?x48xf32>
  tile.return
}

// The grid is the size of the array, divided by the rows of the box.
// CHECK-NOT:   @known__adjoint__zero
// CHECK:       tile.kernel @known__adjoint(
tile.kernel @known(%x: memref<?x48xf32>, %y: memref<?x48xf32>)
    attributes {block = 64 : i64, grid = #tile.grid<affine_map<(n) -> (n ceildiv 4)> of [[0, 0]]>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c4 : index
  %v = tile.load %x[%i, %c0] : memref<?x48xf32> -> !tile.tile<4x48xf32>
  tile.store %v, %y[%i, %c0] : !tile.tile<4x48xf32>, memref<?x48xf32>
  tile.return
}

// A loop loads each row, and the box has all columns.
// CHECK-NOT:   @rows__adjoint__zero
// CHECK:       tile.kernel @rows__adjoint(
tile.kernel @rows(%x: memref<?x48xf32>, %y: memref<48xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x48xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<48xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !tile.tile<48xf32> {
    %v = tile.load %x[%i, %c0] : memref<?x48xf32> -> !tile.tile<48xf32>
    %next = arith.addf %sum, %v : !tile.tile<48xf32>
    scf.yield %next : !tile.tile<48xf32>
  }
  tile.store %s, %y[%c0] : !tile.tile<48xf32>, memref<48xf32>
  tile.return
}

// The box has 47 of 48 columns.
// CHECK:       tile.kernel @columns__adjoint__zero(
tile.kernel @columns(%x: memref<48xf32>, %y: memref<47xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<48xf32> -> !tile.tile<47xf32>
  tile.store %v, %y[%c0] : !tile.tile<47xf32>, memref<47xf32>
  tile.return
}

// The last program along the axis that does not move the box runs the most iterations of a
// causal loop: the array is filled with zeros only if these do not reach its end.
// CHECK-LABEL: func.func @causal__adjoint(
// CHECK:         %[[GX:[^ :,]*]]: index {tile.name = "grid_x"}
// CHECK:         %[[LAST:.*]] = arith.subi %[[GX]], %c1
// CHECK:         %[[FIRST:.*]] = arith.muli %[[LAST]], %c16
// CHECK:         %[[NEXT:.*]] = arith.addi %[[FIRST]], %c16
// CHECK:         %[[END:.*]] = arith.minsi %[[NEXT]], %[[SIZE:.*]] :
// CHECK:         %[[TRIPS:.*]] = arith.ceildivsi %[[END]], %c8
// CHECK:         %[[REACHED:.*]] = arith.muli %[[TRIPS]], %c8
// CHECK:         arith.cmpi sle, %{{.*}}, %[[REACHED]]
// CHECK:         tile.launch @causal__adjoint__zero
tile.kernel @causal(%x: memref<?x32xf32> {tile.name = "x"}, %y: memref<?x32xf32> {tile.name = "y"}) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %none = arith.constant dense<0.0> : !tile.tile<8x32xf32>
  %p = tile.program_id x
  %i = arith.muli %p, %c16 : index
  %next = arith.addi %i, %c16 : index
  %n = memref.dim %x, %c0 : memref<?x32xf32>
  %end = arith.minsi %next, %n : index
  %sum = scf.for %j = %c0 to %end step %c8 iter_args(%s = %none) -> !tile.tile<8x32xf32> {
    %v = tile.load %x[%j, %c0] : memref<?x32xf32> -> !tile.tile<8x32xf32>
    %e = arith.mulf %v, %v : !tile.tile<8x32xf32>
    %t = arith.addf %s, %e : !tile.tile<8x32xf32>
    scf.yield %t : !tile.tile<8x32xf32>
  }
  tile.store %sum, %y[%i, %c0] : !tile.tile<8x32xf32>, memref<?x32xf32>
  tile.return
}
