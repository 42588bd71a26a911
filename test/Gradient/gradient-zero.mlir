// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s

// The extent of the grid may not cover the array: then it is filled with zeros first. If
// the programs load each element, the launch has no programs. The input is not needed: its
// sizes are those of the gradient.
// CHECK-LABEL: tile.kernel @unknown__adjoint__zero(
// CHECK-SAME:    %[[X:.*]]: memref<?x48xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C21:.*]] = arith.constant 21 : index
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : !tile.tile<21x48xf32>
// CHECK-DAG:     %[[P:.*]] = tile.program_id x
// CHECK-DAG:     %[[N:.*]] = memref.dim %[[X]], %[[C0]]
// CHECK:         %[[BOXES:.*]] = arith.ceildivsi %[[N]], %[[C21]]
// CHECK:         %[[BOX:.*]] = arith.remui %[[P]], %[[BOXES]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[BOX]], %[[C21]]
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
