// RUN: tile-opt %s -tile-decompose | FileCheck %s

// CHECK-LABEL: @eigh
tile.kernel @eigh(%a: memref<1x9x9xf32>, %b: memref<1x9xf32>, %c: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0, %c0] : memref<1x9x9xf32> -> !tile.tile<1x9x9xf32>
  // CHECK: %[[T:.*]] = tile.transpose %{{.*}} [0, 2, 1]
  // CHECK: %[[S:.*]] = tile.select %{{.*}}, %{{.*}}, %[[T]]
  // CHECK: tile.reduce min
  // CHECK: %[[Q:.*]], %[[D:.*]], %[[I:.*]] = tile.one_sided_jacobi %{{.*}} : !tile.tile<1x9x9xf32>, !tile.tile<1x9xf32> status !tile.tile<1xi32>
  // CHECK: %[[N:.*]] = arith.subf %[[D]], %{{.*}}
  // CHECK: %[[W:.*]]:2 = tile.sort %[[N]], %{{.*}} axis 1 :
  // CHECK: %[[V:.*]] = tile.take %[[Q]] at %{{.*}} axis 2
  // CHECK: tile.store %[[W]]#0
  // CHECK: tile.store %[[V]]
  // CHECK: tile.store %[[I]]
  %w, %v, %s = tile.eigh %x : !tile.tile<1x9x9xf32> to !tile.tile<1x9xf32>, !tile.tile<1x9x9xf32> status !tile.tile<1xi32>
  tile.store %w, %b[%c0, %c0] : !tile.tile<1x9xf32>, memref<1x9xf32>
  tile.store %v, %a[%c0, %c0, %c0] : !tile.tile<1x9x9xf32>, memref<1x9x9xf32>
  tile.store %s, %c[%c0] : !tile.tile<1xi32>, memref<1xi32>
  tile.return
}

// With more rows than columns, the matrix R of a QR factorization is decomposed.
// CHECK-LABEL: @svd
tile.kernel @svd(%a: memref<9x4xf32>, %b: memref<4xf32>, %c: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<9x4xf32> -> !tile.tile<9x4xf32>
  // CHECK: %[[F:.*]], %[[S:.*]] = tile.householder %{{.*}} : !tile.tile<9x4xf32>
  // CHECK: %[[R:.*]] = tile.select
  // CHECK: %[[Q:.*]], %[[D:.*]] = tile.one_sided_jacobi %[[R]]
  // CHECK: %[[W:.*]]:2 = tile.sort %[[D]], %{{.*}} axis 0 descending
  // CHECK: tile.take %[[Q]] at %{{.*}} axis 1
  // CHECK: tile.householder
  // CHECK: %[[U:.*]] = arith.mulf
  // CHECK: %[[A:.*]] = tile.transpose %[[R]] [1, 0]
  // CHECK: tile.matmul
  // CHECK: tile.householder
  // CHECK: %[[V:.*]] = tile.transpose
  // CHECK: %[[P:.*]] = tile.insert %[[U]]
  // CHECK: %[[L:.*]] = tile.apply_householder %[[F]], %[[S]], %[[P]] :
  // CHECK: tile.store %[[L]]
  // CHECK: tile.store %[[W]]#0
  // CHECK: tile.store %[[V]]
  %u, %s, %vt = tile.svd %x : !tile.tile<9x4xf32> to !tile.tile<9x4xf32>, !tile.tile<4xf32>, !tile.tile<4x4xf32>
  tile.store %u, %a[%c0, %c0] : !tile.tile<9x4xf32>, memref<9x4xf32>
  tile.store %s, %b[%c0] : !tile.tile<4xf32>, memref<4xf32>
  tile.store %vt, %c[%c0, %c0] : !tile.tile<4x4xf32>, memref<4x4xf32>
  tile.return
}

// A square matrix is decomposed itself.
// CHECK-LABEL: @square
// CHECK-NOT: tile.householder
// CHECK: tile.one_sided_jacobi
// CHECK-COUNT-2: tile.apply_householder
// CHECK-NOT: tile.apply_householder
tile.kernel @square(%a: memref<4x4xf64>, %b: memref<4xf64>, %c: memref<4x4xf64>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<4x4xf64> -> !tile.tile<4x4xf64>
  %u, %s, %vt = tile.svd %x : !tile.tile<4x4xf64> to !tile.tile<4x4xf64>, !tile.tile<4xf64>, !tile.tile<4x4xf64>
  tile.store %u, %a[%c0, %c0] : !tile.tile<4x4xf64>, memref<4x4xf64>
  tile.store %s, %b[%c0] : !tile.tile<4xf64>, memref<4xf64>
  tile.store %vt, %c[%c0, %c0] : !tile.tile<4x4xf64>, memref<4x4xf64>
  tile.return
}

// The Hermitian matrix consists of the real parts of the diagonal, the elements below
// it, and their conjugates above it. The real shift c is added to the diagonal.
// CHECK-LABEL: @hermitian
tile.kernel @hermitian(%a: memref<9x9xcomplex<f32>>, %b: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<9x9xcomplex<f32>> -> !tile.tile<9x9xcomplex<f32>>
  // CHECK: complex.im
  // CHECK: arith.negf
  // CHECK: %[[T:.*]] = tile.transpose %{{.*}} [1, 0]
  // CHECK: %[[L:.*]] = tile.select %{{.*}}, %{{.*}}, %[[T]]
  // CHECK: tile.select %{{.*}}, %{{.*}}, %[[L]]
  // CHECK: tile.one_sided_jacobi %{{.*}} : !tile.tile<9x9xcomplex<f32>>, !tile.tile<9xf32>
  // CHECK: tile.sort
  // CHECK: tile.take %{{.*}} axis 1 : !tile.tile<9x9xcomplex<f32>>
  %w, %v = tile.eigh %x : !tile.tile<9x9xcomplex<f32>> to !tile.tile<9xf32>, !tile.tile<9x9xcomplex<f32>>
  tile.store %w, %b[%c0] : !tile.tile<9xf32>, memref<9xf32>
  tile.store %v, %a[%c0, %c0] : !tile.tile<9x9xcomplex<f32>>, memref<9x9xcomplex<f32>>
  tile.return
}
