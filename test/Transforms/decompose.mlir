// RUN: tile-opt %s -tile-decompose -canonicalize -cse | FileCheck %s

// The kernel records its level.
// CHECK-LABEL: tile.kernel @iota
// CHECK-SAME: tile.level = #tile<level decomposed>
// CHECK: %[[N:.*]] = tile.iota axis 0 : !tile.tile<100xf32>
// CHECK: %[[START:.*]] = tile.fill
// CHECK: %[[STEP:.*]] = tile.fill
// CHECK: %[[WAY:.*]] = arith.mulf %[[N]], %[[STEP]]
// CHECK: arith.addf %[[START]], %[[WAY]]
tile.kernel @iota(%x: f32, %h: f32, %r: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.iota axis 0 from %x step %h : !tile.tile<100xf32>
  tile.store %t, %r[%c0] : !tile.tile<100xf32>, memref<100xf32>
  tile.return
}

// Operations in a decomposition are decomposed, too: the first elements of a sorted
// tile are a view of the same rank, and an element of a tile is a view of another rank.
// CHECK-LABEL: tile.kernel @element
// CHECK: %[[BOX:.*]] = tile.view %{{.*}}[%{{.*}}, %{{.*}}] : !tile.tile<4x8xf32> to !tile.tile<1x1xf32>
// CHECK: %[[POINT:.*]] = tile.reshape %[[BOX]] : !tile.tile<1x1xf32> to !tile.tile<f32>
// CHECK: tile.extract %[[POINT]][]
tile.kernel @element(%a: memref<4x8xf32>, %i: index, %r: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<4x8xf32> -> !tile.tile<4x8xf32>
  %x = tile.extract %t[%i, %i] : !tile.tile<4x8xf32>
  %f = tile.fill %x : !tile.tile<1xf32>
  tile.store %f, %r[%c0] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

// A result with a declared storage keeps it.
// CHECK-LABEL: tile.kernel @storage
// CHECK: %[[COUNTS:.*]] = tile.put add
// CHECK: tile.convert_layout %[[COUNTS]] : !tile.tile<10xi32> to !tile.tile<10xi32, #tile.shared>
tile.kernel @storage(%x: memref<64xi32>, %y: memref<10xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xi32> -> !tile.tile<64xi32>
  %h = tile.histogram %t : !tile.tile<64xi32> to !tile.tile<10xi32, #tile.shared>
  tile.store %h, %y[%c0] : !tile.tile<10xi32, #tile.shared>, memref<10xi32>
  tile.return
}

// A random element is a function of the element's index and the seed.
// CHECK-LABEL: tile.kernel @random
// CHECK-DAG: arith.constant dense<3449720151> : !tile.tile<8xi64>
// CHECK-NOT: tile.random
// CHECK: tile.return
tile.kernel @random(%seed: i64, %n: i64, %r: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.random bits %seed, %n : !tile.tile<8xi32>
  tile.store %t, %r[%c0] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}

// top_k is the first elements of a sort that moves the indices with its keys.
// CHECK-LABEL: tile.kernel @top_k
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[T:.*]] = tile.load
// CHECK: %[[N:.*]] = tile.iota axis 1 : !tile.tile<4x100xi32>
// CHECK: %[[S:.*]]:2 = tile.sort %[[T]], %[[N]] axis 1 descending : !tile.tile<4x100xf32>, !tile.tile<4x100xi32>
// CHECK: tile.view %[[S]]#0[%[[C0]], %[[C0]]] : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>
// CHECK: tile.view %[[S]]#1[%[[C0]], %[[C0]]] : !tile.tile<4x100xi32> to !tile.tile<4x8xi32>
tile.kernel @top_k(%a: memref<4x100xf32>, %v: memref<4x8xf32>, %i: memref<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<4x100xf32> -> !tile.tile<4x100xf32>
  %k, %n = tile.top_k %t axis 1 : !tile.tile<4x100xf32> to !tile.tile<4x8xf32>, !tile.tile<4x8xi32>
  tile.store %k, %v[%c0, %c0] : !tile.tile<4x8xf32>, memref<4x8xf32>
  tile.store %n, %i[%c0, %c0] : !tile.tile<4x8xi32>, memref<4x8xi32>
  tile.return
}

// CHECK-LABEL: tile.kernel @top_k_least
// CHECK: tile.sort {{.*}} axis 0 unsigned : !tile.tile<9xi8>, !tile.tile<9xi64>
// CHECK-NOT: tile.view
// CHECK: tile.return
tile.kernel @top_k_least(%a: memref<9xi8>, %i: memref<9xi64>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<9xi8> -> !tile.tile<9xi8>
  %k, %n = tile.top_k %t axis 0 least unsigned : !tile.tile<9xi8> to !tile.tile<9xi8>, !tile.tile<9xi64>
  tile.store %n, %i[%c0] : !tile.tile<9xi64>, memref<9xi64>
  tile.return
}

// The identity of a maximum is the lowest value of a type without infinities.
// CHECK-LABEL: tile.kernel @arg_max_f8
// CHECK: tile.reduce {{.*}} identity [-4.480000e+02 : f8E4M3FN, 2147483647 : i32]
tile.kernel @arg_max_f8(%a: memref<9xf8E4M3FN>, %i: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<9xf8E4M3FN> -> !tile.tile<9xf8E4M3FN>
  %v, %n = tile.arg_reduce max %t : !tile.tile<9xf8E4M3FN> to !tile.tile<f8E4M3FN>, !tile.tile<i32>
  tile.store %n, %i[%c0] : !tile.tile<i32>, memref<1xi32>
  tile.return
}

// An access with `dims` becomes an access to a view of the array, whose dimensions are
// permuted so that `dims` are the last ones. The view is created outside of loops.
// CHECK-LABEL: tile.kernel @dims
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?x?xf32>
// CHECK-SAME: %[[I:[a-z0-9]+]]: index, %[[H:[a-z0-9]+]]: index
// CHECK: %[[B:.*]] = memref.transpose %[[A]] (d0, d1, d2) -> (d1, d0, d2)
// CHECK: scf.for
// CHECK: tile.load %[[B]][%[[H]], %[[I]], %{{.*}}] : memref<?x?x?xf32, strided<[?, ?, 1]>> -> !tile.tile<8x4xf32>
// CHECK: tile.gather %[[B]][%[[H]], %[[I]], %{{.*}}] at %{{.*}}, %{{.*}} axes [1, 0] :
tile.kernel @dims(%a: memref<?x?x?xf32>, %i: index, %h: index, %n: memref<8x1xi32>, %r: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.load %n[%c0, %c0] : memref<8x1xi32> -> !tile.tile<8x1xi32>
  scf.for %k = %c0 to %i step %c1 {
    %t = tile.load %a[%i, %h, %k] dims [0, 2] : memref<?x?x?xf32> -> !tile.tile<8x4xf32>
    %u = tile.gather %a[%i, %h, %k] dims [0, 2] at %p, %p axes [0, 1] : memref<?x?x?xf32>, !tile.tile<8x1xi32>, !tile.tile<8x1xi32> -> !tile.tile<8x4xf32>
    %s = arith.addf %t, %u : !tile.tile<8x4xf32>
    tile.store %s, %r[%c0, %c0] : !tile.tile<8x4xf32>, memref<8x4xf32>
  }
  tile.return
}

// Sources of tile.map that are rows or columns are broadcast to the result's shape.
// CHECK-LABEL: tile.kernel @rows
// CHECK: %[[R:.*]] = tile.reshape %{{.*}} : !tile.tile<6xf32> to !tile.tile<6x1xf32>
// CHECK: %[[COLUMN:.*]] = tile.broadcast %[[R]] : !tile.tile<6x1xf32> to !tile.tile<6x18xf32>
// CHECK: %[[ROW:.*]] = tile.broadcast %{{.*}} : !tile.tile<18xf32> to !tile.tile<6x18xf32>
// CHECK: tile.map %[[ROW]], %[[COLUMN]] :
tile.kernel @rows(%a: memref<18xf32>, %b: memref<6xf32>, %r: memref<6x18xf32>) {
  %c0 = arith.constant 0 : index
  %row = tile.load %a[%c0] : memref<18xf32> -> !tile.tile<18xf32>
  %t = tile.load %b[%c0] : memref<6xf32> -> !tile.tile<6xf32>
  %wide = tile.broadcast %t dims [0] : !tile.tile<6xf32> to !tile.tile<6x18xf32>
  %s = tile.map %row, %wide : !tile.tile<18xf32>, !tile.tile<6x18xf32> to !tile.tile<6x18xf32> {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tile.yield %z : f32
  }
  tile.store %s, %r[%c0, %c0] : !tile.tile<6x18xf32>, memref<6x18xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @elements
// CHECK: %[[ONE:.*]] = tile.fill %{{.*}} : !tile.tile<1xf32>
// CHECK: %[[T:.*]] = tile.insert %[[ONE]] into
// CHECK: %[[PAIR:.*]] = tile.map %[[T]], %[[T]] : !tile.tile<8xf32>, !tile.tile<8xf32> to !tile.tile<8xcomplex<f32>>
// CHECK: complex.create
// CHECK: tile.map %[[PAIR]]
// CHECK: complex.abs
tile.kernel @elements(%a: memref<8xf32>, %x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  %u = tile.insert %x into %t[%i] : f32 into !tile.tile<8xf32>
  %z = tile.complex create %u, %u : !tile.tile<8xf32>, !tile.tile<8xf32> to !tile.tile<8xcomplex<f32>>
  %r = tile.complex abs %z : !tile.tile<8xcomplex<f32>> to !tile.tile<8xf32>
  tile.store %r, %a[%c0] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}

// Values of four bits are shifted out of a word, which is repeated for each of them.
// CHECK-LABEL: tile.kernel @unpack
// CHECK: tile.broadcast %{{.*}} : !tile.tile<32x1x1xi8> to !tile.tile<32x2x1xi8>
// CHECK: arith.shrui
// CHECK: arith.shrsi
// CHECK: tile.reshape %{{.*}} : !tile.tile<32x2x1xi8> to !tile.tile<4x16xi8>
tile.kernel @unpack(%a: memref<4x8xi8>, %r: memref<4x16xi8>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<4x8xi8> -> !tile.tile<4x8xi8>
  %u = tile.unpack %t axis 1 bits 4 : !tile.tile<4x8xi8> to !tile.tile<4x16xi8>
  tile.store %u, %r[%c0, %c0] : !tile.tile<4x16xi8>, memref<4x16xi8>
  tile.return
}
