// RUN: tile-opt %s -tile-gradient='wrt=x' -canonicalize -cse | FileCheck %s

// A loop adds up matmuls of blocks of rows; its gradient needs the blocks again.
// They are loaded once, before both loops, which view them.
// CHECK-LABEL: tile.kernel @blocks__adjoint__programs(
// CHECK:         %[[ROWS:.*]] = tile.load %{{.*}} : memref<?x32x8xf32> -> !tile.tile<32x8xf32>
// CHECK-NOT:     tile.load %{{.*}} : memref<?x32x8xf32>
// CHECK:         scf.for
// CHECK:           tile.view %[[ROWS]][%{{.*}}, %{{.*}}] : !tile.tile<32x8xf32> to !tile.tile<4x8xf32>
// CHECK:         scf.for
// CHECK:           tile.view %[[ROWS]][%{{.*}}, %{{.*}}] : !tile.tile<32x8xf32> to !tile.tile<4x8xf32>
// CHECK:         tile.return
tile.kernel @blocks(%x: memref<?x32x8xf32> {tile.name = "x"}, %y: memref<?x8x8xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %p = tile.program_id x
  %zero = arith.constant dense<0.0> : !tile.tile<8x8xf32>
  %s = scf.for %i = %c0 to %c32 step %c4 iter_args(%acc = %zero) -> (!tile.tile<8x8xf32>) {
    %b = tile.load %x[%p, %i, %c0] : memref<?x32x8xf32> -> !tile.tile<4x8xf32>
    %t = tile.transpose %b [1, 0] : !tile.tile<4x8xf32> to !tile.tile<8x4xf32>
    %m = tile.matmul %t, %b, %acc : !tile.tile<8x4xf32>, !tile.tile<4x8xf32> -> !tile.tile<8x8xf32>
    scf.yield %m : !tile.tile<8x8xf32>
  }
  %e = math.exp %s : !tile.tile<8x8xf32>
  tile.store %e, %y[%p, %c0, %c0] : !tile.tile<8x8xf32>, memref<?x8x8xf32>
  tile.return
}

// The boxes of 128 rows of 128 columns take more than is kept.
// CHECK-LABEL: tile.kernel @large__adjoint__programs(
// CHECK:         scf.for
// CHECK:           tile.load %{{.*}} : memref<?x128x128xf32> -> !tile.tile<32x128xf32>
// CHECK:         scf.for
// CHECK:           tile.load %{{.*}} : memref<?x128x128xf32> -> !tile.tile<32x128xf32>
// CHECK:         tile.return
tile.kernel @large(%x: memref<?x128x128xf32> {tile.name = "x"}, %y: memref<?x128xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %p = tile.program_id x
  %zero = arith.constant dense<0.0> : !tile.tile<128xf32>
  %s = scf.for %i = %c0 to %c128 step %c32 iter_args(%acc = %zero) -> (!tile.tile<128xf32>) {
    %b = tile.load %x[%p, %i, %c0] : memref<?x128x128xf32> -> !tile.tile<32x128xf32>
    %q = arith.mulf %b, %b : !tile.tile<32x128xf32>
    %r = tile.reduce add %q axis 0 : !tile.tile<32x128xf32> to !tile.tile<128xf32>
    %a = arith.addf %acc, %r : !tile.tile<128xf32>
    scf.yield %a : !tile.tile<128xf32>
  }
  %e = math.exp %s : !tile.tile<128xf32>
  tile.store %e, %y[%p, %c0] : !tile.tile<128xf32>, memref<?x128xf32>
  tile.return
}

// Boxes that each iteration moves by less than their extent are not next to each other.
// CHECK-LABEL: tile.kernel @overlapping__adjoint{{.*}}(
// CHECK-NOT:     tile.view
// CHECK:         tile.return
tile.kernel @overlapping(%x: memref<?x40x8xf32> {tile.name = "x"}, %y: memref<?x8xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %p = tile.program_id x
  %zero = arith.constant dense<0.0> : !tile.tile<8xf32>
  %s = scf.for %i = %c0 to %c32 step %c4 iter_args(%acc = %zero) -> (!tile.tile<8xf32>) {
    %b = tile.load %x[%p, %i, %c0] : memref<?x40x8xf32> -> !tile.tile<8x8xf32>
    %q = arith.mulf %b, %b : !tile.tile<8x8xf32>
    %r = tile.reduce add %q axis 0 : !tile.tile<8x8xf32> to !tile.tile<8xf32>
    %a = arith.addf %acc, %r : !tile.tile<8xf32>
    scf.yield %a : !tile.tile<8xf32>
  }
  %e = math.exp %s : !tile.tile<8xf32>
  tile.store %e, %y[%p, %c0] : !tile.tile<8xf32>, memref<?x8xf32>
  tile.return
}
