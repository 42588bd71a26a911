// RUN: tile-opt %s -tile-gradient='wrt=w' -canonicalize -cse | FileCheck %s

// The gradient of w is a sum over programs of x' (s g), where g are cotangents: the
// scalars multiply the sum, not each of its terms. A factor that differs
// between elements stays.
// CHECK-LABEL: tile.kernel @scaled__adjoint__w(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:           arith.mulf %{{.*}} : !tile.tile<16x8xf32>
// CHECK-NOT:       arith.mulf
// CHECK:           tile.matmul
// CHECK:           scf.yield
// CHECK:         %[[SCALED:.*]] = arith.mulf %[[SUM]], %{{.*}} : !tile.tile<4x8xf32>
// CHECK:         tile.store %[[SCALED]]
tile.kernel @scaled(%x: memref<?x4xf32> {tile.name = "x"}, %w: memref<4x8xf32> {tile.name = "w"}, %s: f32, %v: memref<?x8xf32> {tile.name = "v"}, %y: memref<?x8xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c16 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %half = arith.constant dense<0.5> : !tile.tile<16x8xf32>
  %rows = tile.load %x[%i, %c0] : memref<?x4xf32> -> !tile.tile<16x4xf32>
  %weights = tile.load %w[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32>
  %factors = tile.load %v[%i, %c0] : memref<?x8xf32> -> !tile.tile<16x8xf32>
  %m = tile.matmul %rows, %weights, %zero : !tile.tile<16x4xf32>, !tile.tile<4x8xf32> -> !tile.tile<16x8xf32>
  %f = tile.fill %s : !tile.tile<16x8xf32>
  %a = arith.mulf %m, %f : !tile.tile<16x8xf32>
  %b = arith.mulf %a, %factors : !tile.tile<16x8xf32>
  %c = arith.mulf %b, %half : !tile.tile<16x8xf32>
  tile.store %c, %y[%i, %c0] : !tile.tile<16x8xf32>, memref<?x8xf32>
  tile.return
}
