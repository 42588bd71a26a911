// RUN: tile-opt %s -tile-decompose -canonicalize -cse | FileCheck %s

// The rows are in ranges of 8, 32 and 32. A matrix that is loaded only for its
// factorization is loaded in blocks of columns, each from the diagonal on.
// CHECK-LABEL: @cholesky
tile.kernel @cholesky(%a: memref<2x72x72xf32>, %i: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[P0:.*]] = tile.load {{.*}}[%c0, %c0, %c0] : {{.*}} -> !tile.tile<2x72x8xf32>
  // CHECK: %[[P1:.*]] = tile.load {{.*}}[%c0, %c8, %c8] : {{.*}} -> !tile.tile<2x64x32xf32>
  // CHECK: %[[P2:.*]] = tile.load {{.*}}[%c0, %c40, %c40] : {{.*}} -> !tile.tile<2x32x32xf32>
  // CHECK-NOT: tile.load
  %x = tile.load %a[%c0, %c0, %c0] : memref<2x72x72xf32> -> !tile.tile<2x72x72xf32>
  // CHECK: %[[L11:.*]], %[[S1:.*]] = tile.cholesky {{.*}} : !tile.tile<2x8x8xf32> status !tile.tile<2xi32>
  // Two warps hold each of two matrices, with half of its rows in each warp.
  // CHECK: tile.triangular_solve {{.*}} : !tile.tile<4x8x8xf32>, !tile.tile<4x8x32xf32>
  // CHECK: tile.matmul {{.*}}, %[[P1]] : !tile.tile<2x64x8xf32>, !tile.tile<2x8x32xf32> -> !tile.tile<2x64x32xf32>
  // CHECK: %{{.*}}, %[[S2:.*]] = tile.cholesky {{.*}} : !tile.tile<2x32x32xf32> status !tile.tile<2xi32>
  // CHECK: %[[SHIFTED:.*]] = arith.addi %[[S2]], %{{.*}} : !tile.tile<2xi32>
  // CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[S1]],
  // CHECK: tile.select %[[FAILED]], %[[S1]],
  // CHECK: tile.join {{.*}} axis 2 : !tile.tile<2x32x8xf32>, !tile.tile<2x32x32xf32> to !tile.tile<2x32x40xf32>
  // CHECK: tile.matmul {{.*}}, %[[P2]] : !tile.tile<2x32x40xf32>, !tile.tile<2x40x32xf32> -> !tile.tile<2x32x32xf32>
  // CHECK: tile.cholesky {{.*}} : !tile.tile<2x32x32xf32> status
  // CHECK: tile.join {{.*}} axis 2 : !tile.tile<2x72x8xf32>, !tile.tile<2x72x32xf32>, !tile.tile<2x72x32xf32> to !tile.tile<2x72x72xf32>
  %l, %s = tile.cholesky %x : !tile.tile<2x72x72xf32> status !tile.tile<2xi32>
  tile.store %l, %a[%c0, %c0, %c0] : !tile.tile<2x72x72xf32>, memref<2x72x72xf32>
  tile.store %s, %i[%c0] : !tile.tile<2xi32>, memref<2xi32>
  tile.return
}

// A matrix that fits in one warp stays whole.
// CHECK-LABEL: @whole
tile.kernel @whole(%a: memref<64x64xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf64> -> !tile.tile<64x64xf64>
  // CHECK: tile.ldlt %{{.*}} : !tile.tile<64x64xf64>
  %l = tile.ldlt %x : !tile.tile<64x64xf64>
  tile.store %l, %a[%c0, %c0] : !tile.tile<64x64xf64>, memref<64x64xf64>
  tile.return
}

// The triangular solve gives the rows below the diagonal as L D, an operand of the matmul for the
// next columns. L is (L D) s times 1 / (D s): the power of two s is chosen so that this reciprocal
// is a normal number.
// CHECK-LABEL: @ldlt
tile.kernel @ldlt(%a: memref<77x77xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<77x77xf64> -> !tile.tile<77x77xf64>
  // CHECK: tile.ldlt %{{.*}} : !tile.tile<13x13xf64> status !tile.tile<i32>
  // CHECK: tile.triangular_solve {{.*}} unit : !tile.tile<4x13x13xf64>, !tile.tile<4x13x16xf64>
  // CHECK: %[[SCALED:.*]] = tile.reshape %{{.*}} : !tile.tile<4x16x13xf64> to !tile.tile<64x13xf64>
  // CHECK: arith.divf
  // CHECK: %[[NEAR_ONE:.*]] = arith.mulf %[[SCALED]]
  // CHECK: %[[L:.*]] = arith.mulf %[[NEAR_ONE]]
  // CHECK: %[[TOP:.*]] = tile.view %[[L]][%c0, %c0] : {{.*}} to !tile.tile<32x13xf64>
  // CHECK: %[[T:.*]] = tile.transpose %[[TOP]] [1, 0]
  // CHECK: %[[M:.*]] = arith.negf %[[SCALED]]
  // CHECK: tile.matmul %[[M]], %[[T]]
  // CHECK: tile.ldlt %{{.*}} : !tile.tile<32x32xf64> status !tile.tile<i32>
  %l = tile.ldlt %x : !tile.tile<77x77xf64>
  tile.store %l, %a[%c0, %c0] : !tile.tile<77x77xf64>, memref<77x77xf64>
  tile.return
}

// T' X = B with a lower triangle T is solved from the last rows on. Five right-hand
// sides are not divided into blocks.
// CHECK-LABEL: @backwards
tile.kernel @backwards(%a: memref<96x96xf32>, %b: memref<96x5xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<96x96xf32> -> !tile.tile<96x96xf32>
  %x = tile.load %b[%c0, %c0] : memref<96x5xf32> -> !tile.tile<96x5xf32>
  // CHECK-DAG: %[[T33:.*]] = tile.load %{{.*}}[%c64, %c64] : {{.*}} -> !tile.tile<32x32xf32>
  // CHECK-DAG: %[[T32:.*]] = tile.load %{{.*}}[%c64, %c32] : {{.*}} -> !tile.tile<32x32xf32>
  // CHECK-DAG: %[[T1:.*]] = tile.load %{{.*}}[%c32, %c0] : {{.*}} -> !tile.tile<64x32xf32>
  // CHECK: tile.triangular_solve %[[T33]], %{{.*}} transposed : !tile.tile<32x32xf32>, !tile.tile<32x5xf32>
  // CHECK: tile.matmul {{.*}}, %[[T32]], {{.*}} : !tile.tile<5x32xf32>, !tile.tile<32x32xf32> -> !tile.tile<5x32xf32>
  // CHECK: tile.triangular_solve
  // CHECK: tile.matmul {{.*}}, %[[T1]], {{.*}} : !tile.tile<5x64xf32>, !tile.tile<64x32xf32> -> !tile.tile<5x32xf32>
  // CHECK: tile.triangular_solve
  %y = tile.triangular_solve %t, %x transposed : !tile.tile<96x96xf32>, !tile.tile<96x5xf32>
  tile.store %y, %b[%c0, %c0] : !tile.tile<96x5xf32>, memref<96x5xf32>
  tile.return
}

// Registers suffice for a triangle, but not for a triangle with many right-hand sides.
// CHECK-LABEL: @many_sides
tile.kernel @many_sides(%a: memref<64x64xf32>, %b: memref<64x70xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %x = tile.load %b[%c0, %c0] : memref<64x70xf32> -> !tile.tile<64x70xf32>
  // CHECK: tile.triangular_solve {{.*}} : !tile.tile<2x32x32xf32>, !tile.tile<2x32x35xf32>
  // CHECK: tile.matmul {{.*}} : !tile.tile<70x32xf32>, !tile.tile<32x32xf32> -> !tile.tile<70x32xf32>
  // CHECK: tile.triangular_solve {{.*}} : !tile.tile<2x32x32xf32>, !tile.tile<2x32x35xf32>
  %y = tile.triangular_solve %t, %x : !tile.tile<64x64xf32>, !tile.tile<64x70xf32>
  tile.store %y, %b[%c0, %c0] : !tile.tile<64x70xf32>, memref<64x70xf32>
  tile.return
}

// CHECK-LABEL: @few_sides
tile.kernel @few_sides(%a: memref<64x64xf32>, %b: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  %x = tile.load %b[%c0, %c0] : memref<64x32xf32> -> !tile.tile<64x32xf32>
  // CHECK: tile.triangular_solve {{.*}} : !tile.tile<64x64xf32>, !tile.tile<64x32xf32>
  %y = tile.triangular_solve %t, %x : !tile.tile<64x64xf32>, !tile.tile<64x32xf32>
  tile.store %y, %b[%c0, %c0] : !tile.tile<64x32xf32>, memref<64x32xf32>
  tile.return
}
