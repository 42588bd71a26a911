// RUN: tile-opt %s -split-input-file -tile-gradient='wrt=x saved=y' -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -split-input-file -tile-gradient='wrt=x' -canonicalize -cse | FileCheck %s --check-prefix=AGAIN

// The factor is loaded, not computed again; it is one outside of the array.
// CHECK-LABEL: tile.kernel @factor__adjoint__programs(
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<?x8x8xf64> {tile.name = "y"}, %{{.*}}: memref<?x8x8xf64> {tile.name = "y__cotangent"}
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NOT:     tile.cholesky %
// CHECK:         %[[L:.*]] = tile.load %[[Y]][%{{.*}}] pad %[[ONE]]
// CHECK-NOT:     tile.cholesky %
// CHECK:         tile.cholesky_derivative %[[L]], %{{.*}} transposed
// CHECK:         tile.return
// AGAIN-LABEL: tile.kernel @factor__adjoint__programs(
// AGAIN:         tile.cholesky %
tile.kernel @factor(%x: memref<?x8x8xf64> {tile.name = "x"}, %y: memref<?x8x8xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0, %c0] : memref<?x8x8xf64> -> !tile.tile<8x8xf64>
  %l = tile.cholesky %t : !tile.tile<8x8xf64>
  tile.store %l, %y[%p, %c0, %c0] : !tile.tile<8x8xf64>, memref<?x8x8xf64>
  tile.return
}

// -----

// Elementwise operations are computed again: the array is no argument.
// CHECK-LABEL: tile.kernel @elements__adjoint__programs(
// CHECK-NOT:     tile.name = "y"}
// CHECK:         math.exp
// AGAIN-LABEL: tile.kernel @elements__adjoint__programs(
tile.kernel @elements(%x: memref<?x8xf64> {tile.name = "x"}, %y: memref<?x8xf64> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x8xf64> -> !tile.tile<8xf64>
  %e = math.exp %t : !tile.tile<8xf64>
  tile.store %e, %y[%p, %c0] : !tile.tile<8xf64>, memref<?x8xf64>
  tile.return
}

// -----

// A value that was reshaped and rounded is the rounded one. Stores with a mask, and
// stores in branches, are no values that all programs have.
// CHECK-LABEL: tile.kernel @rounded__adjoint__programs(
// CHECK:         %[[LOADED:.*]] = tile.load %{{.*}} pad %{{.*}} : memref<?x8xf16> -> !tile.tile<8xf16>
// CHECK:         %[[WIDE:.*]] = tile.cast %[[LOADED]] : !tile.tile<8xf16> to !tile.tile<8xf32>
// CHECK:         %[[SHAPED:.*]] = tile.reshape %[[WIDE]] : !tile.tile<8xf32> to !tile.tile<8x1xf32>
// CHECK-NOT:     math.exp
// CHECK:         arith.mulf %{{.*}}, %[[SHAPED]]
// AGAIN-LABEL: tile.kernel @rounded__adjoint__programs(
// AGAIN:         math.exp
tile.kernel @rounded(%x: memref<?x8x4xf32> {tile.name = "x"}, %y: memref<?x8xf16> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0, %c0] : memref<?x8x4xf32> -> !tile.tile<8x4xf32>
  %s = tile.reduce add %t axis 1 keep : !tile.tile<8x4xf32> to !tile.tile<8x1xf32>
  %e = math.exp %s : !tile.tile<8x1xf32>
  %r = tile.reshape %e : !tile.tile<8x1xf32> to !tile.tile<8xf32>
  %h = tile.cast %r : !tile.tile<8xf32> to !tile.tile<8xf16>
  tile.store %h, %y[%p, %c0] : !tile.tile<8xf16>, memref<?x8xf16>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @masked__adjoint__programs(
// CHECK-NOT:     tile.name = "y"}
// CHECK:         tile.matmul
// AGAIN-LABEL: tile.kernel @masked__adjoint__programs(
tile.kernel @masked(%x: memref<?x8x8xf32> {tile.name = "x"}, %y: memref<?x8x8xf32> {tile.name = "y"}, %mask: memref<8x8xi1>) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %m = tile.load %mask[%c0, %c0] : memref<8x8xi1> -> !tile.tile<8x8xi1>
  %z = arith.constant dense<0.0> : !tile.tile<8x8xf32>
  %t = tile.load %x[%p, %c0, %c0] : memref<?x8x8xf32> -> !tile.tile<8x8xf32>
  %q = tile.matmul %t, %t, %z : !tile.tile<8x8xf32>, !tile.tile<8x8xf32> -> !tile.tile<8x8xf32>
  %e = math.exp %q : !tile.tile<8x8xf32>
  tile.store %e, %y[%p, %c0, %c0] mask %m : !tile.tile<8x8xi1> : !tile.tile<8x8xf32>, memref<?x8x8xf32>
  tile.return
}

// -----

// A softmax is as large as its input, and is computed again.
// CHECK-LABEL: tile.kernel @softmax__adjoint__programs(
// CHECK-NOT:     tile.name = "y"}
// CHECK:         tile.reduce max
// AGAIN-LABEL: tile.kernel @softmax__adjoint__programs(
tile.kernel @softmax(%x: memref<?x64xf32> {tile.name = "x"}, %y: memref<?x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %t = tile.load %x[%p, %c0] : memref<?x64xf32> -> !tile.tile<64xf32>
  %m = tile.reduce max %t : !tile.tile<64xf32> to !tile.tile<f32>
  %top = tile.extract %m[] : !tile.tile<f32>
  %tops = tile.fill %top : !tile.tile<64xf32>
  %d = arith.subf %t, %tops : !tile.tile<64xf32>
  %e = math.exp %d : !tile.tile<64xf32>
  %s = tile.reduce add %e : !tile.tile<64xf32> to !tile.tile<f32>
  %sum = tile.extract %s[] : !tile.tile<f32>
  %sums = tile.fill %sum : !tile.tile<64xf32>
  %q = arith.divf %e, %sums : !tile.tile<64xf32>
  tile.store %q, %y[%p, %c0] : !tile.tile<64xf32>, memref<?x64xf32>
  tile.return
}
