// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=values -canonicalize -cse | FileCheck %s --check-prefix=VALUES

// A softmax, times values, of rows that a loop reads block by block. The stored results do
// not depend on the maxima that it carries, so that the transposed loop uses another value:
// the final maximum plus the logarithm of the sum, with which exponentials are
// probabilities. No value of an iteration is kept. The gradient of v has the programs
// (block of rows) as a loop and the loop over blocks as an axis: a first kernel stores for
// each row that value, and the inner product of the result and its cotangent.
// CHECK-LABEL: tile.kernel @attention__adjoint__results(
// CHECK:         %[[R:.*]]:3 = scf.for
// CHECK:           arith.maximumf
// CHECK:         %[[LOG:.*]] = math.log %[[R]]#1
// CHECK:         %[[LESS:.*]] = arith.mulf %[[LOG]], %{{.*}}
// CHECK:         %[[SHIFT:.*]] = arith.subf %[[R]]#0, %[[LESS]]
// CHECK:         tile.store %[[SHIFT]],
// CHECK:         %[[INNER:.*]] = tile.reduce add
// CHECK:         tile.store %[[INNER]],
// CHECK-LABEL: tile.kernel @attention__adjoint__programs(
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<?x?xf32> {tile.name = "s"}
// CHECK-SAME:    %[[GRADIENT:[a-z0-9]+]]: memref<?x?xf32> {tile.name = "s__gradient"}
// CHECK-NOT:     arith.maximumf
// CHECK-NOT:     arith.divf
// CHECK:         scf.for
// CHECK:           %[[D:.*]] = arith.subf %{{.*}}, %{{.*}} : !tile.tile<16x32xf32>
// CHECK:           math.exp %[[D]]
// CHECK:           tile.store %{{.*}}, %[[GRADIENT]][
// CHECK-NOT:     tile.store
// CHECK:         tile.return
// CHECK-LABEL: tile.kernel @attention__adjoint__v(
// CHECK-NOT:     arith.maximumf
// CHECK-NOT:     arith.divf
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (!tile.tile<32x8xf32>)
// CHECK:           %[[NEXT:.*]] = tile.matmul %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         tile.store %[[SUM]]
// CHECK-LABEL: func.func @attention__adjoint(
// CHECK-COUNT-2: memref.alloc(%{{.*}}) : memref<?x1x16x1xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         tile.launch @attention__adjoint__results
// CHECK:         tile.launch @attention__adjoint__programs
// CHECK:         tile.launch @attention__adjoint__v
// The first kernel stores the output, too.
// VALUES-LABEL: tile.kernel @attention__adjoint__results(
// VALUES:         %{{.*}} = scf.for
// VALUES-NOT:     scf.for
// VALUES:         tile.store %{{.*}} : !tile.tile<16x8xf32>, memref<?x8xf32>
// VALUES-LABEL: tile.kernel @attention__adjoint__programs(
// VALUES-NOT:     tile.name = "y"}
// VALUES-LABEL: tile.kernel @attention__adjoint__v(
// VALUES-NOT:     tile.name = "y"}
// VALUES-LABEL: func.func @attention__adjoint(
tile.kernel @attention(%s: memref<?x?xf32> {tile.name = "s"}, %v: memref<?x8xf32> {tile.name = "v"}, %y: memref<?x8xf32> {tile.name = "y"}) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !tile.tile<16x1xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<16x1xf32>
  %none = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %x = tile.program_id x
  %i = arith.muli %x, %c16 : index
  %n = memref.dim %v, %c0 : memref<?x8xf32>
  %r:3 = scf.for %j = %c0 to %n step %c32 iter_args(%top = %low, %total = %zero, %out = %none)
      -> (!tile.tile<16x1xf32>, !tile.tile<16x1xf32>, !tile.tile<16x8xf32>) {
    %scores = tile.load %s[%i, %j] : memref<?x?xf32> -> !tile.tile<16x32xf32>
    %values = tile.load %v[%j, %c0] : memref<?x8xf32> -> !tile.tile<32x8xf32>
    %max = tile.reduce max %scores axis 1 keep : !tile.tile<16x32xf32> to !tile.tile<16x1xf32>
    %new = arith.maximumf %top, %max : !tile.tile<16x1xf32>
    %tops = tile.broadcast %new : !tile.tile<16x1xf32> to !tile.tile<16x32xf32>
    %below = arith.subf %scores, %tops : !tile.tile<16x32xf32>
    %p = math.exp %below : !tile.tile<16x32xf32>
    %less = arith.subf %top, %new : !tile.tile<16x1xf32>
    %shrink = math.exp %less : !tile.tile<16x1xf32>
    %old = arith.mulf %total, %shrink : !tile.tile<16x1xf32>
    %sum = tile.reduce add %p axis 1 keep : !tile.tile<16x32xf32> to !tile.tile<16x1xf32>
    %next = arith.addf %old, %sum : !tile.tile<16x1xf32>
    %shrinks = tile.broadcast %shrink : !tile.tile<16x1xf32> to !tile.tile<16x8xf32>
    %scaled = arith.mulf %out, %shrinks : !tile.tile<16x8xf32>
    %added = tile.matmul %p, %values, %scaled : !tile.tile<16x32xf32>, !tile.tile<32x8xf32> -> !tile.tile<16x8xf32>
    scf.yield %new, %next, %added : !tile.tile<16x1xf32>, !tile.tile<16x1xf32>, !tile.tile<16x8xf32>
  }
  %totals = tile.broadcast %r#1 : !tile.tile<16x1xf32> to !tile.tile<16x8xf32>
  %z = arith.divf %r#2, %totals : !tile.tile<16x8xf32>
  tile.store %z, %y[%i, %c0] : !tile.tile<16x8xf32>, memref<?x8xf32>
  tile.return
}

// The sum is stored without the logarithm's maximum: it depends on the maxima, and so do
// its derivatives. The transposed loop needs the values of each iteration.
// CHECK-LABEL: tile.kernel @sums__adjoint__programs(
// CHECK:         scf.for
// CHECK:           tile.store
// CHECK:           arith.maximumf
// CHECK-LABEL: func.func @sums__adjoint(
// CHECK:         memref.alloc
tile.kernel @sums(%s: memref<?x?xf32> {tile.name = "s"}, %y: memref<?xf32> {tile.name = "y"}) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<-1.0e+30> : !tile.tile<16x1xf32>
  %zero = arith.constant dense<0.0> : !tile.tile<16x1xf32>
  %x = tile.program_id x
  %i = arith.muli %x, %c16 : index
  %n = memref.dim %s, %c1 : memref<?x?xf32>
  %r:2 = scf.for %j = %c0 to %n step %c32 iter_args(%top = %low, %total = %zero)
      -> (!tile.tile<16x1xf32>, !tile.tile<16x1xf32>) {
    %scores = tile.load %s[%i, %j] : memref<?x?xf32> -> !tile.tile<16x32xf32>
    %max = tile.reduce max %scores axis 1 keep : !tile.tile<16x32xf32> to !tile.tile<16x1xf32>
    %new = arith.maximumf %top, %max : !tile.tile<16x1xf32>
    %tops = tile.broadcast %new : !tile.tile<16x1xf32> to !tile.tile<16x32xf32>
    %below = arith.subf %scores, %tops : !tile.tile<16x32xf32>
    %p = math.exp %below : !tile.tile<16x32xf32>
    %less = arith.subf %top, %new : !tile.tile<16x1xf32>
    %shrink = math.exp %less : !tile.tile<16x1xf32>
    %old = arith.mulf %total, %shrink : !tile.tile<16x1xf32>
    %sum = tile.reduce add %p axis 1 keep : !tile.tile<16x32xf32> to !tile.tile<16x1xf32>
    %next = arith.addf %old, %sum : !tile.tile<16x1xf32>
    scf.yield %new, %next : !tile.tile<16x1xf32>, !tile.tile<16x1xf32>
  }
  %z = tile.reshape %r#1 : !tile.tile<16x1xf32> to !tile.tile<16xf32>
  tile.store %z, %y[%i] : !tile.tile<16xf32>, memref<?xf32>
  tile.return
}

// A sum that a loop divides by is multiplied by its reciprocal instead, which is computed
// once.
// CHECK-LABEL: tile.kernel @quotient__adjoint
// CHECK:         %[[SUM:.*]] = tile.reduce add
// CHECK:         %[[ONE:.*]] = arith.divf %{{.*}}, %[[SUM]] : !tile.tile<f32>
// CHECK:         %[[R:.*]] = tile.broadcast %[[ONE]]
// CHECK-NOT:     arith.divf
// CHECK:         arith.mulf %{{.*}}, %[[R]]
tile.kernel @quotient(%x: memref<64xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = tile.reduce add %v : !tile.tile<64xf32> to !tile.tile<f32>
  %ss = tile.broadcast %s : !tile.tile<f32> to !tile.tile<64xf32>
  %r = arith.divf %v, %ss : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
