// RUN: tile-opt %s -tile-gradient=atomics -canonicalize -cse | FileCheck %s

// One load of the elements: the gradient is stored, with the mask of the load.
// CHECK-LABEL: tile.kernel @stored__adjoint__programs
// CHECK:         tile.store %{{.*}}, %arg{{[0-9]+}}[%{{.*}}] mask %{{.*}} in_bounds
// CHECK-NEXT:    tile.return
tile.kernel @stored(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) attributes {block = 64 : i64} {
  %c64 = arith.constant 64 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c64 : index
  %index = tile.iota axis 0 : !tile.tile<64xindex>
  %limit = tile.fill %n : !tile.tile<64xindex>
  %m = arith.cmpi slt, %index, %limit : !tile.tile<64xindex>
  %v = tile.load %x[%i] mask %m : !tile.tile<64xi1> in_bounds : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%i] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

// Loads of one program that overlap: their gradients are added one after the other.
// CHECK-LABEL: tile.kernel @added__adjoint__programs
// CHECK-SAME:    (%{{.*}}: memref<?x65xf32>, %{{.*}}: memref<?x64xf32> {{{.*}}}, %[[D:.*]]: memref<?x65xf32> {{{.*}}})
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK:         %[[A:.*]] = tile.load %[[D]][%[[I:.*]], %[[C1]]] :
// CHECK:         %[[B:.*]] = arith.addf %[[A]],
// CHECK:         tile.store %[[B]], %[[D]][%[[I]], %[[C1]]]
// CHECK:         %[[E:.*]] = tile.load %[[D]][%[[I]], %[[C0]]] :
// CHECK:         %[[F:.*]] = arith.addf %[[E]],
// CHECK:         tile.store %[[F]], %[[D]][%[[I]], %[[C0]]]
tile.kernel @added(%x: memref<?x65xf32>, %y: memref<?x64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.program_id x
  %v = tile.load %x[%i, %c0] : memref<?x65xf32> -> !tile.tile<64xf32>
  %w = tile.load %x[%i, %c1] : memref<?x65xf32> -> !tile.tile<64xf32>
  %s = arith.mulf %v, %w : !tile.tile<64xf32>
  tile.store %s, %y[%i, %c0] : !tile.tile<64xf32>, memref<?x64xf32>
  tile.return
}

// Loads of several programs that overlap: their gradients are added atomically.
// CHECK-LABEL: tile.kernel @atomic__adjoint__programs
// CHECK:         tile.atomic_rmw add
// CHECK-NEXT:    tile.return
tile.kernel @atomic(%x: memref<64xf32>, %y: memref<?x64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%i, %c0] : !tile.tile<64xf32>, memref<?x64xf32>
  tile.return
}

// The second axis of the grid does not move the box: the loads of two programs are of
// the same elements.
// CHECK-LABEL: tile.kernel @unmoved__adjoint__programs
// CHECK:         tile.atomic_rmw add
tile.kernel @unmoved(%x: memref<?xf32>, %y: memref<?x?xf32>) attributes {block = 64 : i64} {
  %c64 = arith.constant 64 : index
  %p = tile.program_id x
  %q = tile.program_id y
  %i = arith.muli %p, %c64 : index
  %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%q, %i] : !tile.tile<64xf32>, memref<?x?xf32>
  tile.return
}

// A gather may read an element several times.
// CHECK-LABEL: tile.kernel @gathered__adjoint__programs
// CHECK-SAME:    (%{{.*}}: memref<64xf32>{{.*}}, %[[D:.*]]: memref<?xf32>
// CHECK:         tile.scatter %{{.*}}, %[[D]][%{{.*}}] at %{{.*}} axis 0 mask %{{.*}} atomic add in_bounds
// CHECK-NEXT:    tile.return
tile.kernel @gathered(%x: memref<?xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 3.0 : f32
  %index = tile.iota axis 0 : !tile.tile<64xi32>
  %c5 = arith.constant dense<5> : !tile.tile<64xi32>
  %i = arith.divsi %index, %c5 : !tile.tile<64xi32>
  %m = arith.cmpi ne, %index, %c5 : !tile.tile<64xi32>
  %v = tile.gather %x[%c0] at %i axis 0 mask %m : !tile.tile<64xi1> pad %pad in_bounds : memref<?xf32>, !tile.tile<64xi32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
