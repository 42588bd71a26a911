// RUN: tile-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @loads
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [0, 2] : memref<?x?x64xf16> -> !tile.tile<64x64xf16>
// CHECK-NEXT: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [0, 2] : !tile.tile<64x64xf16>, memref<?x?x64xf16>
tile.kernel @loads(%x: memref<?x?x64xf16>, %y: memref<?x?x64xf16>, %t: index, %h: index) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%t, %h, %c0] : memref<?x?x64xf16> -> !tile.tile<64x1x64xf16>
  %b = tile.reshape %a : !tile.tile<64x1x64xf16> to !tile.tile<64x64xf16>
  %c = tile.reshape %b : !tile.tile<64x64xf16> to !tile.tile<64x1x64xf16>
  tile.store %c, %y[%t, %h, %c0] : !tile.tile<64x1x64xf16>, memref<?x?x64xf16>
  tile.return
}

// The remaining dimensions need not be the last ones of the array.
// CHECK-LABEL: tile.kernel @others
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} in_bounds : memref<?x?xf32> -> !tile.tile<8xf32>
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] dims [3, 0] : memref<?x?x?x?xf32> -> !tile.tile<4x8xf32>
tile.kernel @others(%x: memref<?x?xf32>, %y: memref<?x?x?x?xf32>, %z: memref<8xf32>, %w: memref<4x8xf32>, %p: f32) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] pad %p in_bounds : memref<?x?xf32> -> !tile.tile<1x8xf32>
  %b = tile.reshape %a : !tile.tile<1x8xf32> to !tile.tile<8xf32>
  tile.store %b, %z[%c0] : !tile.tile<8xf32>, memref<8xf32>
  %c = tile.load %y[%c0, %c0, %c0, %c0] dims [3, 1, 0] : memref<?x?x?x?xf32> -> !tile.tile<4x1x8xf32>
  %d = tile.reshape %c : !tile.tile<4x1x8xf32> to !tile.tile<4x8xf32>
  tile.store %d, %w[%c0, %c0] : !tile.tile<4x8xf32>, memref<4x8xf32>
  tile.return
}

// The reshape stays if the access has a mask of the tile's shape, if the tile has
// another user or only one element, and if it changes more than unit dimensions.
// CHECK-LABEL: tile.kernel @stay
// CHECK-COUNT-4: tile.reshape
tile.kernel @stay(%x: memref<?x?xf32>, %m: memref<1x8xi1>, %z: memref<8xf32>, %w: memref<1x8xf32>, %v: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %mask = tile.load %m[%c0, %c0] : memref<1x8xi1> -> !tile.tile<1x8xi1>
  %a = tile.load %x[%c0, %c0] mask %mask : !tile.tile<1x8xi1> : memref<?x?xf32> -> !tile.tile<1x8xf32>
  %b = tile.reshape %a : !tile.tile<1x8xf32> to !tile.tile<8xf32>
  tile.store %b, %z[%c0] : !tile.tile<8xf32>, memref<8xf32>
  %c = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<1x8xf32>
  %d = tile.reshape %c : !tile.tile<1x8xf32> to !tile.tile<8xf32>
  tile.store %c, %w[%c0, %c0] : !tile.tile<1x8xf32>, memref<1x8xf32>
  tile.store %d, %z[%c0] : !tile.tile<8xf32>, memref<8xf32>
  %e = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<1x1xf32>
  %f = tile.reshape %e : !tile.tile<1x1xf32> to !tile.tile<f32>
  tile.store %f, %z[%c0] : !tile.tile<f32>, memref<8xf32>
  %g = tile.load %x[%c0, %c0] : memref<?x?xf32> -> !tile.tile<1x8xf32>
  %h = tile.reshape %g : !tile.tile<1x8xf32> to !tile.tile<4x2xf32>
  tile.store %h, %v[%c0, %c0] : !tile.tile<4x2xf32>, memref<4x2xf32>
  %i = tile.reshape %b : !tile.tile<8xf32> to !tile.tile<1x8xf32>
  tile.store %i, %w[%c0, %c0] mask %mask : !tile.tile<1x8xi1> : !tile.tile<1x8xf32>, memref<1x8xf32>
  tile.return
}

// Accesses with dims are composite, and a decomposed kernel has none.
// CHECK-LABEL: tile.kernel @decomposed
// CHECK: tile.load %{{.*}} : memref<?x?x64xf16> -> !tile.tile<64x1x64xf16>
// CHECK: tile.reshape
// CHECK: tile.load %{{.*}} : memref<?x?x64xf16> -> !tile.tile<64xf16>
tile.kernel @decomposed(%x: memref<?x?x64xf16>, %y: memref<64x64xf16>) attributes {tile.level = #tile<level decomposed>} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<?x?x64xf16> -> !tile.tile<64x1x64xf16>
  %b = tile.reshape %a : !tile.tile<64x1x64xf16> to !tile.tile<64x64xf16>
  tile.store %b, %y[%c0, %c0] : !tile.tile<64x64xf16>, memref<64x64xf16>
  %c = tile.load %x[%c0, %c0, %c0] : memref<?x?x64xf16> -> !tile.tile<1x1x64xf16>
  %d = tile.reshape %c : !tile.tile<1x1x64xf16> to !tile.tile<64xf16>
  tile.store %d, %y[%c0, %c0] : !tile.tile<64xf16>, memref<64x64xf16>
  tile.return
}

// A batch of one matmul becomes a matmul without a batch dimension, and the
// loop carries its accumulator without this dimension.
// CHECK-LABEL: tile.kernel @batch_of_one
// CHECK: scf.for {{.*}} -> (!tile.tile<16x16xf32>)
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : memref<?x?x?xf16> -> !tile.tile<16x32xf16>
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x?xf16> -> !tile.tile<32x16xf16>
// CHECK-NEXT: tile.matmul {{.*}} -> !tile.tile<16x16xf32>
// CHECK-NEXT: scf.yield
// CHECK: tile.store %{{.*}} : !tile.tile<16x16xf32>, memref<?x?x?xf32>
tile.kernel @batch_of_one(%x: memref<?x?x?xf16>, %y: memref<?x?xf16>, %z: memref<?x?x?xf32>, %b: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<1x16x16xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> !tile.tile<1x16x16xf32> {
    %u = tile.load %x[%b, %c0, %k] : memref<?x?x?xf16> -> !tile.tile<1x16x32xf16>
    %v = tile.load %y[%k, %c0] : memref<?x?xf16> -> !tile.tile<32x16xf16>
    %d = tile.matmul %u, %v, %acc : !tile.tile<1x16x32xf16>, !tile.tile<32x16xf16> -> !tile.tile<1x16x16xf32>
    scf.yield %d : !tile.tile<1x16x16xf32>
  }
  tile.store %sum, %z[%b, %c0, %c0] : !tile.tile<1x16x16xf32>, memref<?x?x?xf32>
  tile.return
}

// An accumulator that is also printed with its batch dimension keeps it.
// CHECK-LABEL: tile.kernel @looked_at
// CHECK: scf.for {{.*}} -> (!tile.tile<1x16x16xf32>)
// CHECK: tile.print
tile.kernel @looked_at(%x: memref<?x?x?xf16>, %y: memref<?x?xf16>, %z: memref<?x?x?xf32>, %b: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : !tile.tile<1x16x16xf32>
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> !tile.tile<1x16x16xf32> {
    tile.print "sum", %acc : !tile.tile<1x16x16xf32>
    %u = tile.load %x[%b, %c0, %k] : memref<?x?x?xf16> -> !tile.tile<1x16x32xf16>
    %v = tile.load %y[%k, %c0] : memref<?x?xf16> -> !tile.tile<32x16xf16>
    %d = tile.matmul %u, %v, %acc : !tile.tile<1x16x32xf16>, !tile.tile<32x16xf16> -> !tile.tile<1x16x16xf32>
    scf.yield %d : !tile.tile<1x16x16xf32>
  }
  tile.store %sum, %z[%b, %c0, %c0] : !tile.tile<1x16x16xf32>, memref<?x?x?xf32>
  tile.return
}
