// RUN: tile-opt %s -convert-tile-to-nvgpu | FileCheck %s

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>
#v1 = #tile.register<(32,1,1):(1,0,0), box = [32]>
#replicated = #tile.register<((16,2),1,1):((1,0),0,0), box = [16]>

// The promised body: 16-byte accesses with the alignment that was proved.
// CHECK-LABEL: @promised
tile.kernel @promised(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
  %t = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  // CHECK: vector.store {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
  tile.store %t, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  tile.return
}

// The general body: nothing is known, so element by element.
// CHECK-LABEL: @general
tile.kernel @general(%x: memref<?xf32>, %y: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: vector.load
  // CHECK-COUNT-4: memref.load
  %t = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  // CHECK-NOT: vector.store
  // CHECK-COUNT-4: memref.store
  tile.store %t, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // CHECK: tile.return
  tile.return
}

// An offset that is no multiple of the vector narrows the access.
// CHECK-LABEL: @offset_narrows
tile.kernel @offset_narrows(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK-COUNT-2: vector.load {{.*}} {alignment = 8 : i64} {{.*}} vector<2xf32>
  %t = tile.load %x[%c2] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // CHECK: tile.return
  tile.return
}

// Without a promise both sides of the array are tested, once for the box; a
// load beyond them selects zero.
// CHECK-LABEL: @tests_both_sides
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref
// CHECK-SAME: %[[AT:[a-z0-9]*]]: index
tile.kernel @tests_both_sides(%x: memref<?xf32>, %at: index, %y: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[SIZE:.*]] = memref.dim %[[X]]
  // CHECK: %[[END:.*]] = arith.subi %[[SIZE]], %c32
  // CHECK: %[[BEGINS:.*]] = arith.cmpi sge, %[[AT]], %c0
  // CHECK: %[[ENDS:.*]] = arith.cmpi sle, %[[AT]], %[[END]]
  // CHECK: %[[INSIDE:.*]] = arith.andi %[[BEGINS]], %[[ENDS]]
  // CHECK: scf.if %[[INSIDE]]
  // CHECK: else
  // CHECK: arith.cmpi sge, %{{.*}}, %c0
  // CHECK: arith.cmpi slt
  // CHECK: memref.load
  // CHECK: arith.select {{.*}} %cst
  %t = tile.load %x[%at] : memref<?xf32> -> !tile.tile<32xf32, #v1>
  tile.store %t, %y[%c0] in_bounds : !tile.tile<32xf32, #v1>, memref<?xf32>
  tile.return
}

// in_bounds removes the tests.
// CHECK-LABEL: @in_bounds_tests_nothing
tile.kernel @in_bounds_tests_nothing(%x: memref<?xf32>, %at: index, %y: memref<?xf32>) attributes {block = 32 : i64} {
  // CHECK-NOT: arith.cmpi
  // CHECK-NOT: scf.if
  %t = tile.load %x[%at] in_bounds : memref<?xf32> -> !tile.tile<32xf32, #v1>
  tile.store %t, %y[%at] in_bounds : !tile.tile<32xf32, #v1>, memref<?xf32>
  // CHECK: tile.return
  tile.return
}

// Of the threads that hold one element the first stores it.
// CHECK-LABEL: @owners_store
tile.kernel @owners_store(%v: f32, %y: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.fill %v : !tile.tile<16xf32, #replicated>
  // CHECK: %[[DIGIT:.*]] = arith.divui %{{.*}}, %c16
  // CHECK: %[[OWNS:.*]] = arith.cmpi eq, %[[DIGIT]], %c0
  // CHECK: scf.if %[[OWNS]]
  // CHECK: memref.store
  tile.store %t, %y[%c0] in_bounds : !tile.tile<16xf32, #replicated>, memref<?xf32>
  tile.return
}

// Padding of a layout is not stored, and reads a place inside the box.
// CHECK-LABEL: @padding_is_not_stored
tile.kernel @padding_is_not_stored(%x: memref<?xf32>, %y: memref<?xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[LOADS:.*]] = arith.cmpi slt, %{{.*}}, %c20
  // CHECK: arith.select %[[LOADS]]
  // CHECK: memref.load
  %t = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<20xf32, #v1>
  // CHECK: %[[STORES:.*]] = arith.cmpi slt, %{{.*}}, %c20
  // CHECK: scf.if %[[STORES]]
  // CHECK: memref.store
  tile.store %t, %y[%c0] in_bounds : !tile.tile<20xf32, #v1>, memref<?xf32>
  tile.return
}

// Complex numbers make no vector, and i1 is a byte in memory: elements, guarded
// by branches.
// CHECK-LABEL: @elements_without_vectors
tile.kernel @elements_without_vectors(%x: memref<?xcomplex<f32>> {tile.alignment = 16 : i64}, %b: memref<?xi1> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK-NOT: vector.
  %t = tile.load %x[%c0] : memref<?xcomplex<f32>> -> !tile.tile<128xcomplex<f32>, #v4>
  %u = tile.load %b[%c0] : memref<?xi1> -> !tile.tile<128xi1, #v4>
  tile.store %t, %x[%c0] : !tile.tile<128xcomplex<f32>, #v4>, memref<?xcomplex<f32>>
  tile.store %u, %b[%c0] : !tile.tile<128xi1, #v4>, memref<?xi1>
  // CHECK: tile.return
  tile.return
}
