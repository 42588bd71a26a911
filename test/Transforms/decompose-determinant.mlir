// RUN: tile-opt %s -tile-decompose | FileCheck %s

// The factorization moves no row: pivots stay in their rows.
// CHECK-LABEL: @determinant
// CHECK-NOT: tile.take
tile.kernel @determinant(%a: memref<3x5x5xf32>, %b: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<3x5x5xf32> -> !tile.tile<3x5x5xf32>
  // CHECK: %[[F:.*]], %[[P:.*]] = tile.lu %{{.*}} unordered
  // CHECK: %[[S:.*]] = tile.select %{{.*}}, %[[F]], %{{.*}} : !tile.tile<3x5x5xi1>, !tile.tile<3x5x5xf32>
  // CHECK: %[[U:.*]] = tile.reduce mul %[[S]] axis 1 : !tile.tile<3x5x5xf32> to !tile.tile<3x5xf32>
  // CHECK: tile.reduce mul %[[U]] axis 1 : !tile.tile<3x5xf32> to !tile.tile<3xf32>
  // CHECK: tile.reduce xor
  // CHECK: tile.reduce xor %{{.*}} : !tile.tile<3x5xi1> to !tile.tile<3xi1>
  // CHECK: tile.store
  %d = tile.determinant %x : !tile.tile<3x5x5xf32> to !tile.tile<3xf32>
  tile.store %d, %b[%c0] : !tile.tile<3xf32>, memref<3xf32>
  tile.return
}

// CHECK-LABEL: @logdet
// CHECK-NOT: tile.take
tile.kernel @logdet(%a: memref<3x5x5xf64>, %b: memref<3xf64>, %c: memref<3xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<3x5x5xf64> -> !tile.tile<3x5x5xf64>
  // CHECK: tile.lu %{{.*}} unordered
  // CHECK: %[[U:.*]] = tile.reduce mul %{{.*}} axis 1
  // CHECK: %[[A:.*]] = math.absf %[[U]]
  // CHECK: %[[L:.*]] = math.log %[[A]]
  // CHECK: tile.reduce add %[[L]] axis 1 : !tile.tile<3x5xf64> to !tile.tile<3xf64>
  %s, %l = tile.logdet %x : !tile.tile<3x5x5xf64> to !tile.tile<3xf64>
  tile.store %s, %b[%c0] : !tile.tile<3xf64>, memref<3xf64>
  tile.store %l, %c[%c0] : !tile.tile<3xf64>, memref<3xf64>
  tile.return
}

// The absolute value is the larger part times a function of a quotient of at most one.
// CHECK-LABEL: @complex
tile.kernel @complex(%a: memref<3x5x5xcomplex<f32>>, %b: memref<3xcomplex<f32>>, %c: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<3x5x5xcomplex<f32>> -> !tile.tile<3x5x5xcomplex<f32>>
  // CHECK: tile.lu %{{.*}} unordered
  // CHECK: tile.reduce mul %{{.*}} axis 1 : !tile.tile<3x5x5xcomplex<f32>> to !tile.tile<3x5xcomplex<f32>>
  // CHECK: %[[M:.*]] = arith.maximumf
  // CHECK: %[[Q:.*]] = arith.divf %{{.*}}, %[[M]]
  // CHECK: tile.reduce mul %{{.*}} axis 1 : !tile.tile<3x5xcomplex<f32>> to !tile.tile<3xcomplex<f32>>
  // CHECK: math.log %[[M]]
  // CHECK: tile.reduce add %{{.*}} axis 1 : !tile.tile<3x5xf32> to !tile.tile<3xf32>
  %s, %l = tile.logdet %x : !tile.tile<3x5x5xcomplex<f32>> to !tile.tile<3xcomplex<f32>>
  tile.store %s, %b[%c0] : !tile.tile<3xcomplex<f32>>, memref<3xcomplex<f32>>
  tile.store %l, %c[%c0] : !tile.tile<3xf32>, memref<3xf32>
  tile.return
}
