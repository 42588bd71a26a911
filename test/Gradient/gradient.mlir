// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=mode=forward -canonicalize -cse | FileCheck %s --check-prefix=FORWARD
// RUN: tile-opt %s -tile-gradient="kernel=rows atomics" -canonicalize -cse | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s -tile-gradient=mode=forward -tile-gradient=kernel=square__tangent | FileCheck %s --check-prefix=SECOND

// ONE-NOT: @square__adjoint
// ONE: @rows__adjoint
// SECOND: func.func @square__tangent__adjoint(

// The grid, the block and the names of the arguments stay; y is no argument, since
// the gradient does not need it.
// CHECK-LABEL: tile.kernel @square__adjoint
// CHECK-SAME:    (%[[X:.*]]: memref<?xf32> {tile.alignment = 16 : i64, tile.name = "x"}, %[[G:.*]]: memref<?xf32> {tile.name = "y__cotangent"}, %[[D:.*]]: memref<?xf32> {tile.alignment = 16 : i64, tile.name = "x__gradient"})
// CHECK-SAME:    attributes {block = 64 : i64, grid = #tile.grid<#map of {{\[}}[0, 0]]>, tile.decisions = #decisions}
// CHECK:         %[[I:.*]] = arith.muli
// CHECK:         %[[V:.*]] = tile.load %[[X]][%[[I]]]
// CHECK:         %[[C:.*]] = tile.load %[[G]][%[[I]]]
// CHECK:         %[[S:.*]] = arith.addf %[[C]], %[[C]]
// CHECK:         %[[P:.*]] = arith.mulf %[[S]], %[[V]]
// CHECK:         tile.store %[[P]], %[[D]][%[[I]]]
// CHECK-NEXT:    tile.return

// FORWARD-LABEL: tile.kernel @square__tangent
// FORWARD-SAME:    (%[[X:.*]]: memref<?xf32> {{.*}}, %[[T:.*]]: memref<?xf32> {{{.*}}tile.name = "x__tangent"}, %[[O:.*]]: memref<?xf32> {tile.name = "y__tangent"})
// FORWARD:         %[[V:.*]] = tile.load %[[X]][%[[I:.*]]] :
// FORWARD:         %[[D:.*]] = tile.load %[[T]][%[[I]]] :
// FORWARD:         %[[P:.*]] = arith.mulf %[[D]], %[[V]]
// FORWARD:         %[[S:.*]] = arith.addf %[[P]], %[[P]]
// FORWARD:         tile.store %[[S]], %[[O]][%[[I]]]
tile.kernel @square(%x: memref<?xf32> {tile.alignment = 16 : i64, tile.name = "x"}, %y: memref<?xf32> {tile.name = "y"})
    attributes {block = 64 : i64, grid = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 0]]>} {
  %c64 = arith.constant 64 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c64 : index
  %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<64xf32>
  %w = arith.mulf %v, %v : !tile.tile<64xf32>
  tile.store %w, %y[%i] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

// A sum over rows, whose gradient is the same for each. The transposed loop carries no
// cotangents, so that it runs from the first row to the last, as the original one does.
// CHECK-LABEL: tile.kernel @rows__adjoint
// CHECK-SAME:    (%[[G:.*]]: memref<16xf32>{{.*}}, %[[D:.*]]: memref<9x16xf32>
// CHECK-DAG:     %[[C9:.*]] = arith.constant 9 : index
// CHECK:         %[[C:.*]] = tile.load %[[G]]
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %[[C9]]
// CHECK:           tile.store %[[C]], %[[D]][%[[K]], %{{.*}}]
tile.kernel @rows(%x: memref<9x16xf32>, %y: memref<16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16xf32>
  %s = scf.for %i = %c0 to %c9 step %c1 iter_args(%sum = %zero) -> !tile.tile<16xf32> {
    %v = tile.load %x[%i, %c0] : memref<9x16xf32> -> !tile.tile<16xf32>
    %next = arith.addf %sum, %v : !tile.tile<16xf32>
    scf.yield %next : !tile.tile<16xf32>
  }
  tile.store %s, %y[%c0] : !tile.tile<16xf32>, memref<16xf32>
  tile.return
}

// Elements that are taken are added back one after the other.
// CHECK-LABEL: tile.kernel @taken__adjoint
// CHECK:         scf.for
// CHECK:           %[[OWN:.*]] = arith.cmpi eq
// CHECK:           %[[ADDED:.*]] = tile.select %[[OWN]]
// CHECK:           tile.complex add %{{.*}}, %[[ADDED]]
tile.kernel @taken(%x: memref<16xcomplex<f32>>, %y: memref<32xcomplex<f32>>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.iota axis 0 : !tile.tile<32xi32>
  %two = arith.constant dense<2> : !tile.tile<32xi32>
  %j = arith.divui %i, %two : !tile.tile<32xi32>
  %v = tile.load %x[%c0] : memref<16xcomplex<f32>> -> !tile.tile<16xcomplex<f32>>
  %w = tile.take %v at %j axis 0 : !tile.tile<16xcomplex<f32>>, !tile.tile<32xi32> to !tile.tile<32xcomplex<f32>>
  tile.store %w, %y[%c0] : !tile.tile<32xcomplex<f32>>, memref<32xcomplex<f32>>
  tile.return
}

// The gradient of a tile with a declared storage has that storage.
// CHECK-LABEL: tile.kernel @stored__adjoint
// CHECK:         scf.for {{.*}} -> (!tile.tile<16xf32>)
// CHECK:         tile.store
tile.kernel @stored(%x: memref<16xf32>, %y: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.iota axis 0 : !tile.tile<32xi32>
  %two = arith.constant dense<2> : !tile.tile<32xi32>
  %j = arith.divui %i, %two : !tile.tile<32xi32>
  %v = tile.load %x[%c0] : memref<16xf32> -> !tile.tile<16xf32>
  %s = tile.convert_layout %v : !tile.tile<16xf32> to !tile.tile<16xf32, #tile.shared>
  %w = tile.take %s at %j axis 0 : !tile.tile<16xf32, #tile.shared>, !tile.tile<32xi32> to !tile.tile<32xf32>
  tile.store %w, %y[%c0] : !tile.tile<32xf32>, memref<32xf32>
  tile.return
}

// An output that depends on no input has no tangent, which would be zero.
// FORWARD-LABEL: tile.kernel @constant__tangent(
// FORWARD-SAME:    "0__tangent"
// FORWARD-NOT:     "1__tangent"
// FORWARD-SAME:    "2__tangent"
tile.kernel @constant(%x: memref<16xf32>, %one: memref<16xf32>, %y: memref<16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<16xf32> -> !tile.tile<16xf32>
  %w = arith.constant dense<1.0> : !tile.tile<16xf32>
  tile.store %v, %y[%c0] : !tile.tile<16xf32>, memref<16xf32>
  tile.store %w, %one[%c0] : !tile.tile<16xf32>, memref<16xf32>
  tile.return
}
