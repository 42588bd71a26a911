// RUN: tile-opt %s -tile-gradient -canonicalize -cse | FileCheck %s

// The factors exp(-m) of a softmax cancel: its results do not depend on the maximum m.
// CHECK-LABEL: tile.kernel @softmax__adjoint(
// CHECK:         tile.reduce max
// CHECK-NOT:     arith.cmpf
// CHECK:         tile.store
tile.kernel @softmax(%x: memref<64xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %m = tile.reduce max %v : !tile.tile<64xf32> to !tile.tile<f32>
  %ms = tile.broadcast %m : !tile.tile<f32> to !tile.tile<64xf32>
  %d = arith.subf %v, %ms : !tile.tile<64xf32>
  %e = math.exp %d : !tile.tile<64xf32>
  %s = tile.reduce add %e : !tile.tile<64xf32> to !tile.tile<f32>
  %ss = tile.broadcast %s : !tile.tile<f32> to !tile.tile<64xf32>
  %r = arith.divf %e, %ss : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// The maximum m is subtracted from the logarithm of a sum of exponentials, and added again.
// CHECK-LABEL: tile.kernel @log_sum_exp__adjoint(
// CHECK-NOT:     arith.cmpf
// CHECK:         tile.store
tile.kernel @log_sum_exp(%x: memref<64xf32>, %y: memref<1xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %scale = arith.constant dense<2.0> : !tile.tile<64xf32>
  %half = arith.constant dense<0.5> : !tile.tile<f32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %m = tile.reduce max %v : !tile.tile<64xf32> to !tile.tile<f32>
  %ms = tile.broadcast %m : !tile.tile<f32> to !tile.tile<64xf32>
  %d = arith.subf %v, %ms : !tile.tile<64xf32>
  %t = arith.mulf %d, %scale : !tile.tile<64xf32>
  %e = math.exp %t : !tile.tile<64xf32>
  %s = tile.reduce add %e : !tile.tile<64xf32> to !tile.tile<f32>
  %l = math.log %s : !tile.tile<f32>
  %h = arith.mulf %l, %half : !tile.tile<f32>
  %r = arith.addf %h, %m : !tile.tile<f32>
  tile.store %r, %y[%c0] : !tile.tile<f32>, memref<1xf32>
  tile.return
}

// The exponentials are stored: they depend on m.
// CHECK-LABEL: tile.kernel @exponentials__adjoint(
// CHECK:         arith.cmpf
tile.kernel @exponentials(%x: memref<64xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %m = tile.reduce max %v : !tile.tile<64xf32> to !tile.tile<f32>
  %ms = tile.broadcast %m : !tile.tile<f32> to !tile.tile<64xf32>
  %d = arith.subf %v, %ms : !tile.tile<64xf32>
  %e = math.exp %d : !tile.tile<64xf32>
  tile.store %e, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// The sum of the exponentials and one does not have the factor exp(-m).
// CHECK-LABEL: tile.kernel @plus_one__adjoint(
// CHECK:         arith.cmpf
tile.kernel @plus_one(%x: memref<64xf32>, %y: memref<64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : !tile.tile<64xf32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %m = tile.reduce max %v : !tile.tile<64xf32> to !tile.tile<f32>
  %ms = tile.broadcast %m : !tile.tile<f32> to !tile.tile<64xf32>
  %d = arith.subf %v, %ms : !tile.tile<64xf32>
  %e = math.exp %d : !tile.tile<64xf32>
  %s = arith.addf %e, %one : !tile.tile<64xf32>
  %r = arith.divf %e, %s : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
