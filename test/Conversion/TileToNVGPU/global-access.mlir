// RUN: tile-opt %s -tile-plan-accesses -convert-tile-to-nvgpu | FileCheck %s

#v4 = #tile.register<(32,1,4):(4,0,1), box = [128]>
#v1 = #tile.register<(32,1,1):(1,0,0), box = [32]>
#row4 = #tile.register<((1,32),1,4):((0,0),0,1), box = [4]>
#replicated = #tile.register<((16,2),1,1):((1,0),0,0), box = [16]>

// The specialized variant has 16-byte accesses, since it assumes the alignment.
// CHECK-LABEL: @promised
tile.kernel @promised(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
  %t = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  // CHECK: vector.store {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
  tile.store %t, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  tile.return
}

// The generic variant assumes no alignment, so it accesses single elements.
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

// An offset that is not a multiple of the vector makes the access narrower.
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

// Without `in_bounds` both ends of the array are tested, once for the box. A load of
// elements outside the array gives zero without an access to memory.
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
  // CHECK: %[[LEFT:.*]] = arith.cmpi sgt
  // CHECK: %[[AFTER:.*]] = arith.cmpi sge
  // CHECK: %[[BOTH:.*]] = arith.andi %[[LEFT]], %[[AFTER]]
  // CHECK: %[[MASK:.*]] = vector.from_elements %[[BOTH]] : vector<1xi1>
  // CHECK: vector.maskedload {{.*}}, %[[MASK]], %{{.*}} into vector<1xf32>
  %t = tile.load %x[%at] : memref<?xf32> -> !tile.tile<32xf32, #v1>
  tile.store %t, %y[%c0] in_bounds : !tile.tile<32xf32, #v1>, memref<?xf32>
  tile.return
}

// `in_bounds` removes the tests.
// CHECK-LABEL: @in_bounds_tests_nothing
tile.kernel @in_bounds_tests_nothing(%x: memref<?xf32>, %at: index, %y: memref<?xf32>) attributes {block = 32 : i64} {
  // CHECK-NOT: arith.cmpi
  // CHECK-NOT: scf.if
  %t = tile.load %x[%at] in_bounds : memref<?xf32> -> !tile.tile<32xf32, #v1>
  tile.store %t, %y[%at] in_bounds : !tile.tile<32xf32, #v1>, memref<?xf32>
  // CHECK: tile.return
  tile.return
}

// If several threads hold an element, the first of them stores it.
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

// Padding of a layout is not stored; a load of it reads an element inside the box.
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

// Complex elements do not form vectors, and an i1 is a byte in memory. Both are
// accessed as single elements, each in a branch.
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

// The divisors of an offset are derived from the arithmetic that computes it.
// CHECK-LABEL: @divisors
tile.kernel @divisors(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32>, %i: index, %j: i32, %c: i1) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %k4 = arith.constant 4 : i32
  // CHECK: vector.load {{.*}} vector<4xf32>
  %by4 = arith.muli %i, %c4 : index
  %t0 = tile.load %x[%by4] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t0, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // 4i + 6.
  // CHECK: vector.load {{.*}} vector<2xf32>
  %sum = arith.addi %by4, %c6 : index
  %t1 = tile.load %x[%sum] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t1, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // 2i * 2.
  // CHECK: vector.load {{.*}} vector<4xf32>
  %by2 = arith.shli %i, %c1 : index
  %product = arith.muli %by2, %c2 : index
  %t2 = tile.load %x[%product] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t2, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // The result of a minimum or a select is one of its operands 4i and 2i.
  // CHECK: vector.load {{.*}} vector<2xf32>
  %least = arith.minsi %by4, %by2 : index
  %t3 = tile.load %x[%least] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t3, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // CHECK: vector.load {{.*}} vector<2xf32>
  %either = arith.select %c, %by2, %by4 : index
  %t4 = tile.load %x[%either] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t4, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // CHECK: vector.load {{.*}} vector<4xf32>
  %narrow = arith.muli %j, %k4 : i32
  %cast = arith.index_cast %narrow : i32 to index
  %t5 = tile.load %x[%cast] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t5, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  // Divisors of 4i / 2 and of i are unknown.
  // CHECK-NOT: vector.load
  // CHECK: tile.return
  %half = arith.divsi %by4, %c2 : index
  %t6 = tile.load %x[%half] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t6, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  %t7 = tile.load %x[%i] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
  tile.store %t7, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  tile.return
}

// A loop's variable is a multiple of what divides the lower bound and the step.
// CHECK-LABEL: @divisors_of_loops
tile.kernel @divisors_of_loops(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32>, %n: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // CHECK: scf.for
  // CHECK: vector.load {{.*}} vector<4xf32>
  scf.for %k = %c0 to %n step %c8 {
    %t = tile.load %x[%k] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
    tile.store %t, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  }
  // CHECK: scf.for
  // CHECK: vector.load {{.*}} vector<2xf32>
  scf.for %k = %c2 to %n step %c8 {
    %t = tile.load %x[%k] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
    tile.store %t, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  }
  // CHECK: scf.for
  // CHECK-NOT: vector.load
  // CHECK: tile.return
  scf.for %k = %n to %c8 step %c8 {
    %t = tile.load %x[%k] in_bounds : memref<?xf32> -> !tile.tile<128xf32, #v4>
    tile.store %t, %y[%c0] in_bounds : !tile.tile<128xf32, #v4>, memref<?xf32>
  }
  tile.return
}

// If the box has several rows, their stride limits the width of an access; if
// it has one row, the stride does so only as a part of the offset.
// CHECK-LABEL: @divisors_of_rows
tile.kernel @divisors_of_rows(%x: memref<64x6xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32>, %i: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK: vector.load {{.*}} vector<2xf32>
  %t = tile.load %x[%i, %c0] in_bounds : memref<64x6xf32> -> !tile.tile<4xf32, #row4>
  tile.store %t, %y[%c0] in_bounds : !tile.tile<4xf32, #row4>, memref<?xf32>
  // CHECK: vector.load {{.*}} vector<4xf32>
  %even = arith.muli %i, %c2 : index
  %u = tile.load %x[%even, %c0] in_bounds : memref<64x6xf32> -> !tile.tile<4xf32, #row4>
  tile.store %u, %y[%c0] in_bounds : !tile.tile<4xf32, #row4>, memref<?xf32>
  tile.return
}

// No vector divides the box: accesses are as wide as the tile's row allows,
// each is tested against the box, and none crosses its edge.
// CHECK-LABEL: @odd_boxes
tile.kernel @odd_boxes(%x: memref<?xf32> {tile.alignment = 16 : i64}, %y: memref<?xf32> {tile.alignment = 16 : i64}) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  // CHECK: arith.cmpi slt, %{{.*}}, %c100
  // CHECK: vector.load {{.*}} vector<4xf32>
  // CHECK: scf.if
  // CHECK: vector.store {{.*}} vector<4xf32>
  %t = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<100xf32, #v4>
  tile.store %t, %y[%c0] in_bounds : !tile.tile<100xf32, #v4>, memref<?xf32>
  // CHECK-COUNT-2: vector.load {{.*}} vector<2xf32>
  // CHECK-COUNT-2: vector.store {{.*}} vector<2xf32>
  %u = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<98xf32, #v4>
  tile.store %u, %y[%c0] in_bounds : !tile.tile<98xf32, #v4>, memref<?xf32>
  // CHECK-NOT: vector.
  // CHECK-COUNT-4: memref.load
  // CHECK-COUNT-4: memref.store
  // CHECK-NOT: vector.
  // CHECK: tile.return
  %v = tile.load %x[%c0] in_bounds : memref<?xf32> -> !tile.tile<97xf32, #v4>
  tile.store %v, %y[%c0] in_bounds : !tile.tile<97xf32, #v4>, memref<?xf32>
  tile.return
}
