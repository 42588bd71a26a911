// RUN: tile-opt %s -tile-gradient=kernel=attention -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-gradient=kernel=branch -canonicalize -cse | FileCheck %s --check-prefix=BRANCH
// RUN: tile-opt %s -tile-gradient='kernel=attention mode=forward' -canonicalize -cse | FileCheck %s --check-prefix=FORWARD
// RUN: tile-opt %s -tile-gradient=kernel=other -canonicalize -cse | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s -tile-gradient=kernel=finite -canonicalize -cse | FileCheck %s --check-prefix=FINITE
// RUN: tile-opt %s -tile-gradient='kernel=carried mode=forward' -canonicalize -cse | FileCheck %s --check-prefix=CARRIED

// The exponential of a masked element is zero: its multiples are not masked again.
// CHECK-LABEL:   tile.kernel @attention__adjoint(
// CHECK:           %[[M:.*]] = tile.select %{{.*}}, %{{.*}}, %{{.*}}
// CHECK:           %[[P:.*]] = math.exp %[[M]]
// CHECK-NOT:       tile.select
// CHECK:           tile.store
// FORWARD-LABEL: tile.kernel @attention__tangent(
// FORWARD:         tile.select
// FORWARD:         math.exp
// FORWARD-NOT:     tile.select
// FORWARD:         tile.store
tile.kernel @attention(%x: memref<8x64xf32> {tile.name = "x"}, %k: memref<8x64xi1>, %y: memref<8x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %least = arith.constant dense<0xFF800000> : !tile.tile<8x64xf32>
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %f = tile.load %k[%c0, %c0] : memref<8x64xi1> -> !tile.tile<8x64xi1>
  %m = tile.select %f, %v, %least : !tile.tile<8x64xi1>, !tile.tile<8x64xf32>
  %e = math.exp %m : !tile.tile<8x64xf32>
  tile.store %e, %y[%c0, %c0] : !tile.tile<8x64xf32>, memref<8x64xf32>
  tile.return
}

// Both masks are in a branch with the same condition, and each computes its flags.
// BRANCH-LABEL: tile.kernel @branch__adjoint(
// BRANCH:         scf.if
// BRANCH:           tile.select
// BRANCH:         math.exp2
// BRANCH-NOT:     scf.if
// BRANCH:         tile.store
tile.kernel @branch(%x: memref<8x64xf32> {tile.name = "x"}, %n: index, %y: memref<8x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %least = arith.constant dense<0xFF800000> : !tile.tile<8x64xf32>
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %isPart = arith.cmpi slt, %n, %c64 : index
  %m = scf.if %isPart -> !tile.tile<8x64xf32> {
    %i = tile.iota axis 1 : !tile.tile<8x64xindex>
    %end = tile.fill %n : !tile.tile<8x64xindex>
    %f = arith.cmpi slt, %i, %end : !tile.tile<8x64xindex>
    %s = tile.select %f, %v, %least : !tile.tile<8x64xi1>, !tile.tile<8x64xf32>
    scf.yield %s : !tile.tile<8x64xf32>
  } else {
    scf.yield %v : !tile.tile<8x64xf32>
  }
  %e = math.exp2 %m : !tile.tile<8x64xf32>
  tile.store %e, %y[%c0, %c0] : !tile.tile<8x64xf32>, memref<8x64xf32>
  tile.return
}

// Other flags select other elements.
// OTHER-LABEL: tile.kernel @other__adjoint(
// OTHER-COUNT-2: tile.select
// OTHER:         tile.store
tile.kernel @other(%x: memref<8x64xf32> {tile.name = "x"}, %k: memref<8x64xi1>, %h: memref<8x64xi1>, %y: memref<8x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %least = arith.constant dense<0xFF800000> : !tile.tile<8x64xf32>
  %none = arith.constant dense<0.0> : !tile.tile<8x64xf32>
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %f = tile.load %k[%c0, %c0] : memref<8x64xi1> -> !tile.tile<8x64xi1>
  %g = tile.load %h[%c0, %c0] : memref<8x64xi1> -> !tile.tile<8x64xi1>
  %m = tile.select %f, %v, %least : !tile.tile<8x64xi1>, !tile.tile<8x64xf32>
  %e = math.exp %m : !tile.tile<8x64xf32>
  %z = tile.select %g, %e, %none : !tile.tile<8x64xi1>, !tile.tile<8x64xf32>
  tile.store %z, %y[%c0, %c0] : !tile.tile<8x64xf32>, memref<8x64xf32>
  tile.return
}

// The exponential of a finite value is not zero.
// FINITE-LABEL: tile.kernel @finite__adjoint(
// FINITE-COUNT-2: tile.select
// FINITE:         tile.store
tile.kernel @finite(%x: memref<8x64xf32> {tile.name = "x"}, %k: memref<8x64xi1>, %y: memref<8x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %low = arith.constant dense<-80.0> : !tile.tile<8x64xf32>
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %f = tile.load %k[%c0, %c0] : memref<8x64xi1> -> !tile.tile<8x64xi1>
  %m = tile.select %f, %v, %low : !tile.tile<8x64xi1>, !tile.tile<8x64xf32>
  %e = math.exp %m : !tile.tile<8x64xf32>
  tile.store %e, %y[%c0, %c0] : !tile.tile<8x64xf32>, memref<8x64xf32>
  tile.return
}

// The argument of the exponential is carried by a loop.
// CARRIED-LABEL: tile.kernel @carried__tangent(
// CARRIED:         scf.for
// CARRIED:           math.exp
// CARRIED-COUNT-2:   tile.select
tile.kernel @carried(%x: memref<8x64xf32> {tile.name = "x"}, %k: memref<8x64xi1>, %y: memref<8x64xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant dense<0.0> : !tile.tile<8x64xf32>
  %v = tile.load %x[%c0, %c0] : memref<8x64xf32> -> !tile.tile<8x64xf32>
  %f = tile.load %k[%c0, %c0] : memref<8x64xi1> -> !tile.tile<8x64xi1>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %v) -> !tile.tile<8x64xf32> {
    %e = math.exp %s : !tile.tile<8x64xf32>
    %z = tile.select %f, %e, %none : !tile.tile<8x64xi1>, !tile.tile<8x64xf32>
    scf.yield %z : !tile.tile<8x64xf32>
  }
  tile.store %r, %y[%c0, %c0] : !tile.tile<8x64xf32>, memref<8x64xf32>
  tile.return
}
