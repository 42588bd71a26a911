// RUN: tile-opt %s -tile-gradient='wrt=x' -canonicalize -cse | FileCheck %s

// The cotangent of x is a sum of two matmuls: the second adds its terms to the first's.
// CHECK-LABEL: tile.kernel @twice__adjoint
// CHECK:         %[[FIRST:.*]] = tile.matmul %{{.*}}, %{{.*}}, %{{cst.*}} :
// CHECK:         %[[SUM:.*]] = tile.matmul %{{.*}}, %{{.*}}, %[[FIRST]] :
// CHECK-NOT:     arith.addf
// CHECK:         tile.store %[[SUM]]
tile.kernel @twice(%x: memref<6x18xf32> {tile.name = "x"}, %v: memref<18x9xf32> {tile.name = "v"}, %w: memref<18x5xf32> {tile.name = "w"}, %y: memref<6x9xf32> {tile.name = "y"}, %z: memref<6x5xf32> {tile.name = "z"}) {
  %c0 = arith.constant 0 : index
  %cst = arith.constant dense<0.0> : !tile.tile<6x9xf32>
  %cst_0 = arith.constant dense<0.0> : !tile.tile<6x5xf32>
  %0 = tile.load %x[%c0, %c0] : memref<6x18xf32> -> !tile.tile<6x18xf32>
  %1 = tile.load %v[%c0, %c0] : memref<18x9xf32> -> !tile.tile<18x9xf32>
  %2 = tile.load %w[%c0, %c0] : memref<18x5xf32> -> !tile.tile<18x5xf32>
  %3 = tile.matmul %0, %1, %cst : !tile.tile<6x18xf32>, !tile.tile<18x9xf32> -> !tile.tile<6x9xf32>
  %4 = tile.matmul %0, %2, %cst_0 : !tile.tile<6x18xf32>, !tile.tile<18x5xf32> -> !tile.tile<6x5xf32>
  tile.store %3, %y[%c0, %c0] : !tile.tile<6x9xf32>, memref<6x9xf32>
  tile.store %4, %z[%c0, %c0] : !tile.tile<6x5xf32>, memref<6x5xf32>
  tile.return
}

// The cotangent of x is twice that of y: a sum of a matmul with itself stays a sum.
// CHECK-LABEL: tile.kernel @same__adjoint
// CHECK:         %[[M:.*]] = tile.matmul
// CHECK:         arith.addf %[[M]], %[[M]]
tile.kernel @same(%x: memref<6x18xf32> {tile.name = "x"}, %v: memref<18x9xf32> {tile.name = "v"}, %y: memref<6x9xf32> {tile.name = "y"}) {
  %c0 = arith.constant 0 : index
  %cst = arith.constant dense<0.0> : !tile.tile<6x9xf32>
  %0 = tile.load %x[%c0, %c0] : memref<6x18xf32> -> !tile.tile<6x18xf32>
  %1 = arith.addf %0, %0 : !tile.tile<6x18xf32>
  %2 = tile.load %v[%c0, %c0] : memref<18x9xf32> -> !tile.tile<18x9xf32>
  %3 = tile.matmul %1, %2, %cst : !tile.tile<6x18xf32>, !tile.tile<18x9xf32> -> !tile.tile<6x9xf32>
  tile.store %3, %y[%c0, %c0] : !tile.tile<6x9xf32>, memref<6x9xf32>
  tile.return
}
