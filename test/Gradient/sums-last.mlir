// RUN: tile-opt %s -tile-gradient='wrt=v,w' -canonicalize -cse | FileCheck %s

// The gradients of v and w are sums over programs: e' g, where e are exponentials of a
// matmul, and x' (e (g v')). The first one is added after g v', whose result the iteration
// needs.
// CHECK-LABEL: tile.kernel @chain__adjoint__w_v(
// CHECK:         %{{.*}}:2 = scf.for %{{.*}} iter_args(%[[W:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}})
// CHECK:           %[[E:.*]] = math.exp
// CHECK:           %[[NEEDED:.*]] = tile.matmul %{{.*}} -> !tile.tile<16x8xf32>
// CHECK:           tile.cast %[[E]]
// CHECK:           tile.matmul %{{.*}}, %{{.*}}, %[[V]]
// CHECK:           arith.mulf %[[NEEDED]], %[[E]]
// CHECK:           tile.matmul %{{.*}}, %{{.*}}, %[[W]]
tile.kernel @chain(%x: memref<?x4xf16> {tile.name = "x"}, %w: memref<4x8xf16> {tile.name = "w"}, %v: memref<8x8xf16> {tile.name = "v"}, %y: memref<?x8xf16> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c16 : index
  %zero = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %rows = tile.load %x[%i, %c0] : memref<?x4xf16> -> !tile.tile<16x4xf16>
  %first = tile.load %w[%c0, %c0] : memref<4x8xf16> -> !tile.tile<4x8xf16>
  %second = tile.load %v[%c0, %c0] : memref<8x8xf16> -> !tile.tile<8x8xf16>
  %m = tile.matmul %rows, %first, %zero : !tile.tile<16x4xf16>, !tile.tile<4x8xf16> -> !tile.tile<16x8xf32>
  %e = math.exp %m : !tile.tile<16x8xf32>
  %h = tile.cast %e : !tile.tile<16x8xf32> to !tile.tile<16x8xf16>
  %r = tile.matmul %h, %second, %zero : !tile.tile<16x8xf16>, !tile.tile<8x8xf16> -> !tile.tile<16x8xf32>
  %o = tile.cast %r : !tile.tile<16x8xf32> to !tile.tile<16x8xf16>
  tile.store %o, %y[%i, %c0] : !tile.tile<16x8xf16>, memref<?x8xf16>
  tile.return
}
