// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s

// Programs along y load the same elements of a, and programs along x the same of b. The
// gradient of a is computed by a kernel whose grid has the loop along K in place of y, and
// that of b by one with this loop in place of x. Each is a matmul that accumulates. A program
// computes four iterations of the loop at once, by tiles of 128 elements along K.
// CHECK-LABEL: tile.kernel @matmul__adjoint__a
// CHECK-SAME:    (%[[B:[^:]*]]: memref<?x?xf16> {{[^%]*}}, %[[G:[^:]*]]: memref<?x?xf32> {{[^%]*}}, %[[D:[^:]*]]: memref<?x?xf16> {{[^%]*}}, %[[NY:[^:]*]]: index {tile.name = "programs_y"})
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : !tile.tile<64x128xf32>
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[Y:.*]] = tile.program_id y
// CHECK-DAG:     %[[X:.*]] = tile.program_id x
// CHECK-DAG:     %[[M:.*]] = arith.muli %[[X]], %[[C64]]
// CHECK-DAG:     %[[K:.*]] = arith.muli %[[Y]], %[[C128]]
// CHECK:         %[[SUM:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[NY]] step %[[C1]] iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK:           %[[N:.*]] = arith.muli %[[I]], %[[C64]]
// CHECK:           %[[W:.*]] = tile.load %[[G]][%[[M]], %[[N]]]
// CHECK:           %[[R:.*]] = tile.load %[[B]][%[[K]], %[[N]]]
// CHECK:           %[[NEXT:.*]] = tile.matmul %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         %[[ROUNDED:.*]] = tile.cast %[[SUM]]
// CHECK:         tile.store %[[ROUNDED]], %[[D]][%[[M]], %[[K]]]
// CHECK-LABEL: tile.kernel @matmul__adjoint__b
// CHECK:         scf.for
// CHECK:           tile.matmul
// CHECK-LABEL: func.func @matmul__adjoint(
// CHECK-SAME:    %[[GX:[^:]*]]: index {tile.name = "grid_x"}, %[[GY:[^:]*]]: index {tile.name = "grid_y"}
// CHECK-DAG:     %[[TRIPS:.*]] = arith.maxsi
// CHECK-DAG:     %[[STEPS:.*]] = arith.ceildivsi %[[TRIPS]], %{{.*}}
// CHECK:         tile.launch @matmul__adjoint__a grid(%[[GX]], %[[STEPS]], %{{.*}})({{.*}}, %[[GY]])
// CHECK:         tile.launch @matmul__adjoint__b grid(%[[STEPS]], %[[GY]], %{{.*}})({{.*}}, %[[GX]])
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

// Programs along x load the same weight. The programs of the gradient are parts of the
// axis x: each stores the gradient of x for its rows and a partial sum of that of w, in
// f32. A second kernel adds up the partial sums, 64 at a time, for 32 columns each.
// CHECK-LABEL: tile.kernel @scale__adjoint__w(
// CHECK:         %[[PART:.*]] = tile.program_id x
// CHECK:         scf.for
// CHECK:           tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<192xbf16>
// CHECK:         tile.store %{{.*}}, %{{.*}}[%{{.*}}, %[[PART]], %{{.*}}] in_bounds : !tile.tile<192xf32>, memref<?x?x192xf32>
// CHECK-LABEL: tile.kernel @scale__adjoint__w__sum(
// CHECK-SAME:    %[[D:[^:]*]]: memref<192xbf16> {{[^%]*}}, %[[PARTS:[^:]*]]: memref<?x?x192xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[X:.*]] = tile.program_id x
// CHECK:         arith.remui %[[X]], %{{.*}}
// CHECK:         %[[COLUMN:.*]] = arith.muli %{{.*}}, %[[C32]]
// CHECK:         %[[SUM:.*]] = scf.for %[[P:.*]] = %[[C0]] to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] =
// CHECK:           %[[SOME:.*]] = tile.load %[[PARTS]][%[[C0]], %[[P]], %[[COLUMN]]] : memref<?x?x192xf32> -> !tile.tile<264x32xf32>
// CHECK:           %[[PART:.*]] = tile.reduce add %[[SOME]] axis 0
// CHECK:           arith.addf %[[ACC]], %[[PART]]
// CHECK:         %[[ROUNDED:.*]] = tile.cast %[[SUM]]
// CHECK:         tile.store %[[ROUNDED]], %[[D]][%[[COLUMN]]]
// CHECK-LABEL: func.func @scale__adjoint(
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 1056 : index
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant 264 : index
// CHECK-DAG:     %[[EACH:.*]] = arith.ceildivsi %{{.*}}, %{{.*}}
// CHECK-DAG:     %[[MANY:.*]] = arith.maxsi %[[EACH]], %[[LEAST]]
// CHECK-DAG:     %[[PARTS:.*]] = arith.minsi %[[MANY]], %[[MOST]]
// CHECK-DAG:     %[[SOME:.*]] = arith.minsi %{{.*}}, %[[PARTS]]
// CHECK:         %[[N:.*]] = arith.maxsi %[[SOME]], %{{.*}}
// CHECK:         memref.alloc(%[[N]]) : memref<1x?x192xf32>
// CHECK:         tile.launch @scale__adjoint__w grid(%[[N]],
// CHECK:         tile.launch @scale__adjoint__w__sum grid(%{{c6.*}},
tile.kernel @scale(%x: memref<?x192xbf16> {tile.name = "x"}, %w: memref<192xbf16> {tile.name = "w"}, %y: memref<?x192xbf16> {tile.name = "y"})
    attributes {block = 64 : i64, grid = #tile.grid<affine_map<(n) -> (n)> of [[0, 0]]>} {
  %c0 = arith.constant 0 : index
  %i = tile.program_id x
  %v = tile.load %x[%i, %c0] : memref<?x192xbf16> -> !tile.tile<192xbf16>
  %s = tile.load %w[%c0] : memref<192xbf16> -> !tile.tile<192xbf16>
  %z = arith.mulf %v, %s : !tile.tile<192xbf16>
  tile.store %z, %y[%i, %c0] : !tile.tile<192xbf16>, memref<?x192xbf16>
  tile.return
}

// All programs load two boxes of the parameters. Parts of the programs add to copies of
// their gradient, which are zero at first and have at most 2^24 elements in all. The
// second kernel adds up the copies.
// CHECK-LABEL: tile.kernel @two_boxes__adjoint__w(
// CHECK-SAME:    %[[COPIES:[^:]*]]: memref<?x?xf32> {tile.name = "w__copies"})
// CHECK:         %[[PART:.*]] = tile.program_id x
// CHECK:         scf.for
// CHECK:           %[[OLD:.*]] = tile.load %[[COPIES]][%[[PART]], %[[AT:.*]]] : memref<?x?xf32> -> !tile.tile<5xf32>
// CHECK:           %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK:           tile.store %[[NEW]], %[[COPIES]][%[[PART]], %[[AT]]]
// CHECK:           tile.load %[[COPIES]]
// CHECK:           tile.store %{{.*}}, %[[COPIES]]
// CHECK-LABEL: tile.kernel @two_boxes__adjoint__w__sum(
// CHECK-SAME:    %[[COPIES:[^:]*]]: memref<?x?xf32>, %[[G:[^:]*]]: memref<?xf16>)
// CHECK:         scf.for
// CHECK:           %[[SOME:.*]] = tile.load %[[COPIES]]{{.*}} dims [0, 1] : memref<?x?xf32> -> !tile.tile<264x32xf32>
// CHECK:           tile.reduce add %[[SOME]] axis 0
// CHECK:         tile.store %{{.*}}, %[[G]][%{{.*}}] : !tile.tile<32xf16>
// CHECK-LABEL: func.func @two_boxes__adjoint(
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 16777216 : index
// CHECK:         arith.divui %[[MOST]], %{{.*}} : index
// CHECK:         %[[ARRAY:.*]] = memref.alloc(%[[N:.*]], %{{.*}}) : memref<?x?xf32>
// CHECK:         tile.launch @two_boxes__adjoint__zero grid(%{{.*}})(%[[ARRAY]])
// CHECK:         tile.launch @two_boxes__adjoint__w grid(%[[N]], {{.*}}, %[[ARRAY]])
// CHECK:         tile.launch @two_boxes__adjoint__w__sum grid(%{{.*}})(%[[ARRAY]], %{{.*}})
tile.kernel @two_boxes(%x: memref<?x5xf16> {tile.name = "x"}, %w: memref<?xf16> {tile.name = "w"}, %y: memref<?x5xf16> {tile.name = "y"})
    attributes {grid = #tile.grid<affine_map<(n) -> (n)> of [[0, 0]]>} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %i = tile.program_id x
  %v = tile.load %x[%i, %c0] : memref<?x5xf16> -> !tile.tile<5xf16>
  %s = tile.load %w[%c0] : memref<?xf16> -> !tile.tile<5xf16>
  %t = tile.load %w[%c5] : memref<?xf16> -> !tile.tile<5xf16>
  %u = arith.mulf %v, %s : !tile.tile<5xf16>
  %z = arith.addf %u, %t : !tile.tile<5xf16>
  tile.store %z, %y[%i, %c0] : !tile.tile<5xf16>, memref<?x5xf16>
  tile.return
}

// The number of iterations grows with the program's index along x. The loop becomes an
// axis; its programs search for the first index along x whose program runs the iteration, and
// add up those from there on.
// CHECK-LABEL: tile.kernel @triangle__adjoint__a(
// CHECK-SAME:    %[[D:[^:]*]]: memref<?x?xf32> {tile.name = "a__gradient"}, %[[NX:[^:]*]]: index
// CHECK:         %[[STEP:.*]] = tile.program_id x
// CHECK:         %[[FIRST:.*]]:2 = scf.while (%[[LOW:.*]] = %{{.*}}, %[[HIGH:.*]] = %[[NX]])
// CHECK:           arith.cmpi slt, %[[LOW]], %[[HIGH]]
// CHECK:           %[[MIDDLE:.*]] = arith.shrui
// CHECK:           %[[COUNT:.*]] = arith.maxsi
// CHECK:           %[[SKIPS:.*]] = arith.cmpi sle, %[[COUNT]], %[[STEP]]
// CHECK:           arith.select %[[SKIPS]], %{{.*}}, %[[L:.*]]
// CHECK:           arith.select %[[SKIPS]], %{{.*}}, %[[MIDDLE]]
// CHECK:         %[[Y:.*]] = tile.program_id y
// CHECK:         %[[K:.*]] = arith.muli %[[STEP]], %{{.*}}
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %[[FIRST]]#0 to %[[NX]]
// CHECK:         tile.store %[[SUM]], %[[D]][%[[Y]], %[[K]]]
tile.kernel @triangle(%a: memref<?x?xf32> {tile.name = "a"}, %y: memref<?x?xf32> {tile.name = "y"}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = tile.program_id x
  %row = tile.program_id y
  %i = arith.muli %x, %c16 : index
  %end = arith.addi %i, %c16 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16xf32>
  %r = scf.for %k = %c0 to %end step %c16 iter_args(%sum = %zero) -> !tile.tile<16xf32> {
    %v = tile.load %a[%row, %k] : memref<?x?xf32> -> !tile.tile<16xf32>
    %s = arith.mulf %v, %v : !tile.tile<16xf32>
    %next = arith.addf %sum, %s : !tile.tile<16xf32>
    scf.yield %next : !tile.tile<16xf32>
  }
  tile.store %r, %y[%row, %i] : !tile.tile<16xf32>, memref<?x?xf32>
  tile.return
}

// Iterations that start at an element that the program loads store different rows.
// CHECK-LABEL: tile.kernel @segment__adjoint__programs(
// CHECK:         memref.load
// CHECK:         scf.for
// CHECK:           %[[G:.*]] = tile.load %{{.*}}[%[[O:[^\]]*]]] : memref<?xf32> -> !tile.tile<32xf32>
// CHECK:           tile.store %{{.*}}, %{{.*}}[%[[O]]]
tile.kernel @segment(%x: memref<?xf32> {tile.name = "x"}, %starts: memref<2xindex> {tile.name = "starts"}, %y: memref<?xf32> {tile.name = "y"}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = memref.load %starts[%c0] : memref<2xindex>
  %end = memref.load %starts[%c1] : memref<2xindex>
  scf.for %i = %start to %end step %c32 {
    %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<32xf32>
    %w = math.tanh %v : !tile.tile<32xf32>
    tile.store %w, %y[%i] : !tile.tile<32xf32>, memref<?xf32>
  }
  tile.return
}
