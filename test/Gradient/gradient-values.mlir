// RUN: tile-opt %s -split-input-file -tile-gradient=values -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -split-input-file -tile-gradient='values mode=forward' -canonicalize -cse | FileCheck %s --check-prefix=FORWARD

// The value is computed once, for the output and for the gradient. In forward mode the
// tangent is stored, too.
// CHECK-LABEL: tile.kernel @elements__adjoint__programs(
// CHECK:         %[[E:.*]] = math.exp
// CHECK-NOT:     math.exp
// CHECK-DAG:     tile.store %[[E]], %[[Y:.*]][
// CHECK-DAG:     %[[G:.*]] = arith.mulf %{{.*}}, %[[E]]
// CHECK-DAG:     tile.store %[[G]], %{{.*}}[
// FORWARD-LABEL: tile.kernel @elements__tangent(
// FORWARD-DAG:   %[[E:.*]] = math.exp
// FORWARD-DAG:   tile.store %[[E]],
// FORWARD-DAG:   %[[T:.*]] = arith.mulf %{{.*}}, %[[E]]
// FORWARD-DAG:   tile.store %[[T]],
// FORWARD:       tile.return
tile.kernel @elements(%x: memref<?x8xf64> {tile.name = "x"}, %y: memref<?x8xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  %e = math.exp %t : !tile.tile<8xf64>
  tile.store %e, %y[%p, %c0] : !tile.tile<8xf64>, memref<?x8xf64>
  tile.return
}

// -----

// The gradient of a sum needs no elements, so that another kernel loads them for the
// output.
// CHECK-LABEL: tile.kernel @sum__adjoint__outputs(
// CHECK:         tile.load
// CHECK:         tile.reduce add
// CHECK:         tile.store
// CHECK-NOT:     tile.store
// CHECK-LABEL: tile.kernel @sum__adjoint__programs(
// CHECK-NOT:     tile.reduce
// CHECK:         tile.store
// CHECK-NOT:     tile.store
// CHECK-LABEL: func.func @sum__adjoint(
tile.kernel @sum(%x: memref<?x8xf64> {tile.name = "x"}, %y: memref<?xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  %s = tile.reduce add %t axis 0 keep : !tile.tile<8xf64> to !tile.tile<1xf64>
  tile.store %s, %y[%p] : !tile.tile<1xf64>, memref<?xf64>
  tile.return
}

// -----

// Each program is run in one of the parts, which stores the output; the kernel that adds
// up the parts stores only the gradient of w.
// CHECK-LABEL: tile.kernel @scale__adjoint__w(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x192xf32> {tile.name = "x"}, %[[W:[^:]*]]: memref<192xf32> {tile.name = "w"}, %[[Y:[^:]*]]: memref<?x192xf32> {tile.name = "y"}
// CHECK:         scf.for
// CHECK:           tile.store %{{.*}}, %[[Y]][
// CHECK:           scf.yield
// CHECK-LABEL: tile.kernel @scale__adjoint__w__sum(
// CHECK-NOT:     tile.name = "y"
// CHECK-LABEL: func.func @scale__adjoint(
tile.kernel @scale(%x: memref<?x192xf32> {tile.name = "x"}, %w: memref<192xf32> {tile.name = "w"}, %y: memref<?x192xf32> {tile.name = "y"})
    attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %v = tile.load %x[%i, %c0] : memref<?x192xf32> -> !tile.tile<192xf32>
  %u = tile.load %w[%c0] : memref<192xf32> -> !tile.tile<192xf32>
  %s = arith.mulf %v, %u : !tile.tile<192xf32>
  tile.store %s, %y[%i, %c0] : !tile.tile<192xf32>, memref<?x192xf32>
  tile.return
}

// -----

// Programs of both gradients are parts of those of the kernel, so that none stores the
// output.
// CHECK-LABEL: tile.kernel @matmul__adjoint__outputs(
// CHECK:         scf.for
// CHECK:           tile.matmul
// CHECK:         tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<64x64xf32>
// CHECK-LABEL: tile.kernel @matmul__adjoint__a(
// CHECK-NOT:     tile.name = "c"}
// CHECK-LABEL: tile.kernel @matmul__adjoint__b(
// CHECK-NOT:     tile.name = "c"}
// CHECK-LABEL: func.func @matmul__adjoint(
// CHECK:         tile.launch @matmul__adjoint__outputs grid(%{{.*}}, %{{.*}}, %{{.*}})(
// CHECK:         tile.launch @matmul__adjoint__a
tile.kernel @matmul(%a: memref<?x?xf16> {tile.name = "a"}, %b: memref<?x?xf16> {tile.name = "b"}, %c: memref<?x?xf32> {tile.name = "c"})
    attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %c64 : index
  %n = arith.muli %y, %c64 : index
  %K = memref.dim %a, %c1 : memref<?x?xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %r = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> !tile.tile<64x64xf32> {
    %l = tile.load %a[%m, %k] : memref<?x?xf16> -> !tile.tile<64x32xf16>
    %s = tile.load %b[%k, %n] : memref<?x?xf16> -> !tile.tile<32x64xf16>
    %next = tile.matmul %l, %s, %acc : !tile.tile<64x32xf16>, !tile.tile<32x64xf16> -> !tile.tile<64x64xf32>
    scf.yield %next : !tile.tile<64x64xf32>
  }
  tile.store %r, %c[%m, %n] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}

// -----

// The output of each iteration is stored by the loop of the values, not by that of the
// gradient.
// CHECK-LABEL: tile.kernel @recurrence__adjoint__programs(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x16xf32>, %[[Y:[^:]*]]: memref<?x16xf32>, %{{[^:]*}}: memref<?x16xf32> {tile.name = "1__cotangent"}
// CHECK:         scf.for
// CHECK:           %[[V:.*]] = math.sin
// CHECK:           tile.store %[[V]], %[[Y]][
// CHECK:           scf.yield
// CHECK-NOT:     %[[Y]][
// CHECK:         tile.return
tile.kernel @recurrence(%x: memref<?x16xf32>, %y: memref<?x16xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = arith.constant dense<0.5> : !tile.tile<16xf32>
  %rows = memref.dim %x, %c0 : memref<?x16xf32>
  %last = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %start) -> !tile.tile<16xf32> {
    %t = tile.load %x[%i, %c0] : memref<?x16xf32> -> !tile.tile<16xf32>
    %a = arith.mulf %s, %t : !tile.tile<16xf32>
    %next = math.sin %a : !tile.tile<16xf32>
    tile.store %next, %y[%i, %c0] : !tile.tile<16xf32>, memref<?x16xf32>
    scf.yield %next : !tile.tile<16xf32>
  }
  tile.return
}

// -----

// Each program counts itself, also those that differ along an axis of the grid that the
// kernel does not use.
// CHECK-LABEL: tile.kernel @counted__adjoint__outputs(
// CHECK:         tile.atomic_rmw add
// CHECK-LABEL: tile.kernel @counted__adjoint__programs(
// CHECK-NOT:     tile.atomic_rmw
// CHECK-LABEL: func.func @counted__adjoint(
// CHECK-SAME:    %[[GX:[^:]*]]: index {tile.name = "grid_x"}, %[[GY:[^:]*]]: index {tile.name = "grid_y"}, %[[GZ:[^:]*]]: index {tile.name = "grid_z"})
// CHECK:         tile.launch @counted__adjoint__outputs grid(%[[GX]], %[[GY]], %[[GZ]])
tile.kernel @counted(%x: memref<?x8xf64>, %y: memref<?x8xf64>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : !tile.tile<8xi32>
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  %e = math.exp %t : !tile.tile<8xf64>
  tile.store %e, %y[%p, %c0] : !tile.tile<8xf64>, memref<?x8xf64>
  tile.atomic_rmw add %one, %n[%c0] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}
